import JSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Statistics of past runs, with a few numbers per test regardless of the number of runs.
///
/// Runs are added one at a time, in the order in which they started.
package struct TrendTable {
    /// The statistics of a test.
    package struct Test {
        /// The hash of the name.
        package let hash: UInt64
        /// The index of the suite.
        package let suite: Int32
        /// The offset of the name in `names`.
        let nameStart: Int
        /// The number of bytes of the name.
        let nameLength: Int32
        /// The number of conclusive outcomes: passed, flaky, failed, or errored.
        package var verdicts: Int32 = 0
        /// The number of failures among them.
        package var failures: Int32 = 0
        /// The index of the run with the last outcome.
        var lastRun: Int32 = -1
        /// Whether the last outcome was a failure.
        package var hasFailed = false
        /// The number of consecutive runs with the same result up to the last one.
        package var streak: Int32 = 0
        /// The index of the first run of the streak.
        var streakRun: Int32 = 0
        /// The number of consecutive runs with the opposite result before the streak.
        package var streakBefore: Int32 = 0
        /// The content of the suite in the run with the last outcome, or -1 if it is unknown.
        package var content: Int32 = -1
        /// The number of outcomes with that content.
        package var onContent: Int32 = 0
        /// The number of failures with that content.
        package var failuresOnContent: Int32 = 0
        /// The number of runs with that content in which the test passed only after a retry.
        package var retried: Int32 = 0
        /// The number of changes with that content between consecutive results whose revisions are both unknown.
        package var changes: Int32 = 0
        /// The number of changes with that content between consecutive results of the same revision.
        package var changesInRevision: Int32 = 0
        /// The last results of the most recent revisions, latest first: twice the revision, plus one for a failure.
        var revisionVerdicts = SIMD4<Int32>(repeating: -1)
        /// Whether the revision of the run with the last outcome is known.
        var hasRevision = false
        /// The number of durations, which are recorded if the test passed.
        package var samples: Int32 = 0
        /// The index of the run with the last duration.
        var sampleRun: Int32 = -1

        /// Counts a result with a content of the suite.
        ///
        /// - Parameter revision: The revision of the system under test, or -1 if it is unknown.
        package mutating func count(isFailure: Bool, isRetried: Bool, content: Int32, revision: Int32, run: Int32) {
            if self.content != content || content < 0 {
                self.content = content
                onContent = 0
                failuresOnContent = 0
                retried = 0
                changes = 0
                changesInRevision = 0
                revisionVerdicts = SIMD4(repeating: -1)
            } else if revision < 0, onContent > 0, !hasRevision, hasFailed != isFailure {
                changes += 1
            }
            hasRevision = revision >= 0
            if hasRevision { noteVerdict(revision << 1 | (isFailure ? 1 : 0)) }
            onContent += 1
            if isRetried { retried += 1 }
            if verdicts > 0, hasFailed == isFailure {
                streak += 1
            } else {
                streakBefore = streak
                streak = 1
                streakRun = run
            }
            verdicts += 1
            if isFailure {
                failures += 1
                failuresOnContent += 1
            }
            hasFailed = isFailure
            lastRun = run
        }

        /// Compares a result with the last one of its revision, because runs of several branches may alternate.
        private mutating func noteVerdict(_ verdict: Int32) {
            var last = 0
            while last < 3, revisionVerdicts[last] >> 1 != verdict >> 1 { last += 1 }
            if revisionVerdicts[last] == verdict ^ 1 { changesInRevision += 1 }
            while last > 0 {
                revisionVerdicts[last] = revisionVerdicts[last - 1]
                last -= 1
            }
            revisionVerdicts[0] = verdict
        }
    }

    /// The outcome of a test in one run.
    package struct Verdict {
        /// The index of the run.
        package var run: Int32 = 0
        /// The duration in microseconds.
        package var duration: UInt32 = 0
        /// The outcome.
        package var outcome = HistoryOutcome.passed
    }

    /// The data of a suite.
    package struct Suite {
        /// The name of the suite.
        package var name: String
        /// The path of the suite file.
        package var file: String
        /// The environment of the suite.
        package var environment: String?
        /// The indices of all contents that the suite has had, by their digests.
        package var contents: [String: Int32] = [:]
        /// The last content, or -1 if it is unknown.
        package var content: Int32 = -1
        /// The index of the last run with the suite.
        var lastRun: Int32 = -1
    }

    /// The data of a run.
    package struct Run {
        /// The start of the run, in seconds since 1970-01-01T00:00:00Z.
        package var start: Double
        /// The shard of the run, such as `2/5`.
        package var shard: String?
        /// The revision of the system under test.
        package var revision: String?
        /// The number of conclusive outcomes.
        package var verdicts = 0
        /// The number of failures.
        package var failures = 0
    }

    /// The properties that identify a suite across runs.
    private struct SuiteKey: Hashable {
        let file: String
        let document: Int
        let environment: String?
    }

    /// The maximum number of durations to keep per test: those for the median, and the one that is compared with it.
    static let maximumSamples = 21

    /// The runs, in the order in which they were added.
    package private(set) var runs: [Run] = []
    /// The suites, in order of first appearance.
    package private(set) var suites: [Suite] = []
    /// The tests, in order of first appearance.
    package private(set) var tests: [Test] = []
    private var suiteIndices: [SuiteKey: Int] = [:]
    private var revisions: [String: Int32] = [:]
    /// The revision of the run that is being added, or -1 if it is unknown.
    private var revision: Int32 = -1
    /// The bytes of all names.
    private var names: [UInt8] = []
    /// The maximum number of recent outcomes to keep per test.
    private let stripLength: Int
    /// The recent outcomes, in a ring buffer of `stripLength` elements per test.
    private var verdicts: [Verdict] = []
    /// The recent durations in microseconds, in a ring buffer of `maximumSamples` elements per test.
    private var durations: [UInt32] = []
    /// An open-addressing hash table of test indices, by the low bits of the hashes of names, with -1 for a free slot.
    private var slots = [Int32](repeating: -1, count: 1_024)
    /// The test after the last one found.
    ///
    /// In most runs, tests come in the same order.
    private var next = 0

    /// Creates a table without runs.
    ///
    /// - Parameter stripLength: The maximum number of recent outcomes to keep per test.
    package init(stripLength: Int = 0) { self.stripLength = stripLength }

    /// Adds the results of a run.
    ///
    /// - Returns: Whether the bytes are a history file that this version can read. Otherwise, nothing is added.
    package mutating func add(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var position = 0
            guard let head = Self.line(of: bytes, at: &position), let run = Self.head(bytes[head]) else { return false }
            runs.append(run)
            revision = run.revision.map { number(ofRevision: $0) } ?? -1
            var suite: Int?
            while let line = Self.line(of: bytes, at: &position) {
                guard let first = line.first else { continue }
                if bytes[first] == UInt8(ascii: "{") {
                    if let found = Self.object(bytes[line]), found["suite"] != nil { suite = addSuite(found) }
                } else if let suite, let outcome = HistoryOutcome(rawValue: bytes[first]) {
                    addResult(outcome, bytes, line, suite: suite)
                }
            }
            return true
        }
    }

    private mutating func number(ofRevision name: String) -> Int32 {
        if let number = revisions[name] { return number }
        let number = Int32(truncatingIfNeeded: revisions.count)
        revisions[name] = number
        return number
    }

    // MARK: Lines

    /// Returns the next line without its line break.
    ///
    /// A last line without a line break is incomplete and ignored.
    private static func line(of bytes: UnsafeBufferPointer<UInt8>, at position: inout Int) -> Range<Int>? {
        let start = position
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        guard end < bytes.count else { return nil }
        position = end + 1
        return start..<end
    }

    private static func object(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> JSONObject? {
        (try? JSONValue(parsing: Array(line)))?.objectValue
    }

    private static func head(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Run? {
        guard let object = object(line), object["apitest"]?.stringValue == "history",
            object["version"]?.numberValue?.int64 == Int64(HistoryWriter.version),
            let start = object["start"]?.numberValue?.double, start.isFinite
        else { return nil }
        return Run(start: start / 1_000, shard: object["shard"]?.stringValue, revision: object["revision"]?.stringValue)
    }

    private mutating func addSuite(_ object: JSONObject) -> Int {
        let key = SuiteKey(
            file: object["suite"]?.stringValue ?? "",
            document: object["document"]?.numberValue?.int64.map { Int(truncatingIfNeeded: $0) } ?? 0,
            environment: object["environment"]?.stringValue)
        let index = suiteIndices[key] ?? suites.count
        if index == suites.count {
            suiteIndices[key] = index
            suites.append(Suite(name: "", file: key.file, environment: key.environment))
        }
        suites[index].name = object["name"]?.stringValue ?? ""
        suites[index].lastRun = Int32(truncatingIfNeeded: runs.count - 1)
        if let digest = object["digest"]?.stringValue {
            let content = suites[index].contents[digest] ?? Int32(truncatingIfNeeded: suites[index].contents.count)
            suites[index].contents[digest] = content
            suites[index].content = content
        } else {
            suites[index].content = -1
        }
        return index
    }

    // MARK: Results

    private mutating func addResult(
        _ outcome: HistoryOutcome, _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, suite: Int
    ) {
        var position = line.lowerBound + 1
        guard position < line.upperBound, bytes[position] == 0x20 else { return }
        position += 1
        var duration: UInt32 = 0
        while position < line.upperBound, bytes[position] >= 0x30, bytes[position] <= 0x39 {
            let (product, isLarge) = duration.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = product.addingReportingOverflow(UInt32(bytes[position] & 15))
            duration = isLarge || isLarger ? .max : sum
            position += 1
            if duration == .max {
                while position < line.upperBound, bytes[position] != 0x20 { position += 1 }
            }
        }
        guard position < line.upperBound, bytes[position] == 0x20 else { return }
        let name = position + 1..<line.upperBound
        let isFailure: Bool
        switch outcome {
        case .passed, .flaky: isFailure = false
        case .failed, .errored: isFailure = true
        case .skipped, .blocked: return
        }
        let index = index(of: UnsafeBufferPointer(rebasing: bytes[name]), suite: suite)
        runs[runs.count - 1].verdicts += 1
        if isFailure { runs[runs.count - 1].failures += 1 }
        tests[index].count(
            isFailure: isFailure, isRetried: outcome == .flaky, content: suites[suite].content, revision: revision,
            run: Int32(truncatingIfNeeded: runs.count - 1))
        if outcome == .passed { addSample(duration, at: index) }
        guard stripLength > 0 else { return }
        verdicts[index * stripLength + Int(tests[index].verdicts - 1) % stripLength] = Verdict(
            run: tests[index].lastRun, duration: duration, outcome: outcome)
    }

    private mutating func addSample(_ duration: UInt32, at index: Int) {
        durations[index * Self.maximumSamples + Int(tests[index].samples) % Self.maximumSamples] = duration
        tests[index].samples += 1
        tests[index].sampleRun = tests[index].lastRun
    }

    // MARK: Tests by name

    /// Returns the index of a test, which is added if it is new.
    private mutating func index(of name: UnsafeBufferPointer<UInt8>, suite: Int) -> Int {
        let guess = next
        if guess < tests.count, Int(tests[guess].suite) == suite, isName(name, of: guess) {
            next = guess + 1
            return guess
        }
        if tests.count * 2 >= slots.count { grow() }
        let hash = Self.hash(name, seed: UInt64(truncatingIfNeeded: suite))
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if tests[index].hash == hash, Int(tests[index].suite) == suite, isName(name, of: index) {
                next = index + 1
                return index
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(truncatingIfNeeded: tests.count)
        tests.append(
            Test(
                hash: hash, suite: Int32(truncatingIfNeeded: suite), nameStart: names.count,
                nameLength: Int32(truncatingIfNeeded: name.count)))
        names.append(contentsOf: name)
        durations.append(contentsOf: repeatElement(0, count: Self.maximumSamples))
        verdicts.append(contentsOf: repeatElement(Verdict(), count: stripLength))
        next = tests.count
        return tests.count - 1
    }

    private func isName(_ name: UnsafeBufferPointer<UInt8>, of index: Int) -> Bool {
        let start = tests[index].nameStart
        guard Int(tests[index].nameLength) == name.count, let base = name.baseAddress else {
            return name.isEmpty && tests[index].nameLength == 0
        }
        // All bytes of the name were appended, so the range is within bounds.
        return names.withUnsafeBufferPointer { names in
            names.baseAddress.map { memcmp($0 + start, base, name.count) == 0 } ?? false
        }
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 4)
        for index in tests.indices {
            var slot = Int(truncatingIfNeeded: tests[index].hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(truncatingIfNeeded: index)
        }
    }

    /// Returns a hash that is good enough for names.
    ///
    /// It processes eight bytes at a time.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt64 {
        var hash = (seed &+ 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* 0x9FB2_1C65_1E98_DF25
            hash ^= hash >> 32
        }
        let raw = UnsafeRawBufferPointer(bytes)
        var position = 0
        while position + 8 <= raw.count {
            mix(raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            position += 8
        }
        var rest: UInt64 = UInt64(truncatingIfNeeded: raw.count)
        while position < raw.count {
            rest = rest << 8 | UInt64(raw[position])
            position += 1
        }
        mix(rest)
        return hash
    }

    // MARK: Lookup

    /// Returns the name of a test.
    package func name(of index: Int) -> String {
        let test = tests[index]
        let bytes = names[test.nameStart..<test.nameStart + Int(test.nameLength)]
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var name: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                name.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                name.append(byte)
            }
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// Returns the recent outcomes of a test, in the order of the runs.
    package func strip(of index: Int) -> [Verdict] {
        let count = Int(tests[index].verdicts)
        return (max(0, count - stripLength)..<count).map { verdicts[index * stripLength + $0 % stripLength] }
    }

    /// Returns the index of a suite, or `nil` if no run had it.
    package func suite(file: String, document: Int, environment: String?) -> Int? {
        suiteIndices[SuiteKey(file: file, document: document, environment: environment)]
    }

    /// Returns the last duration of a test and the previous ones in microseconds, or `nil` if the test did not pass in
    /// its last run.
    package func samples(of index: Int) -> (last: UInt32, previous: [UInt32])? {
        let test = tests[index]
        guard test.sampleRun == test.lastRun, test.samples > 0 else { return nil }
        let start = index * Self.maximumSamples
        let count = min(Int(test.samples), Self.maximumSamples)
        let last = (Int(test.samples) - 1) % Self.maximumSamples
        let previous = (0..<count).filter { $0 != last }.map { durations[start + $0] }
        return (durations[start + last], previous)
    }
}
