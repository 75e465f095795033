import Basics
import Diagnostics
import FileSystem
import Output
package import RunModel

/// A merge of records into the events of a single run.
///
/// Identical suites become one, with their tests in file order.
///
/// Records are read twice: first to find all tests, and then to read each test in its final order. In between, the
/// location of each test is kept in bounded memory and a temporary file. Memory does not grow with the number of tests.
package struct RecordMerge {
    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    /// The maximum number of notices from all records, and of names in a notice of the merge itself.
    private static let maximumNotices = 1_000
    static let maximumNames = 5

    private(set) var sources: [RecordSource] = []
    /// The names of records without a complete first line.
    let emptyNames: [String]
    /// The shards that have several records, although only one of them counts.
    private(set) var repeatedShards: [Shard] = []
    /// The number of shards or records that a complete run has, if it is known.
    let expected: Int?
    /// The run to report if all records are missing.
    private let empty: RunInfo
    private let output: (RecordedEvent) -> Void
    private(set) var suites: [MergedSuite] = []
    private var suiteOfKey: [MergedSuite.Key: Int] = [:]
    private(set) var tests: MergedTests
    private var loads: MergedLoads
    private var notices: [RunNotice] = []
    private var exchanges = 0
    private var end: Int64 = 0

    /// Opens the records.
    ///
    /// - Parameters:
    ///   - expected: The number of shards of the run. A missing shard makes the merged run incomplete.
    ///   - empty: The run to report if all records are missing.
    ///   - limit: The maximum number of tests in memory.
    ///   - judge: A function that judges the figures of merged loads.
    package init(
        _ inputs: [RecordInput], expected: Int? = nil, empty: RunInfo = .none, limit: Int = MergedTests.standardLimit,
        judge: @escaping LoadJudge = { _ in [] }, output: @escaping (RecordedEvent) -> Void
    ) throws(RecordError) {
        var sources: [RecordSource] = []
        var emptyNames: [String] = []
        for input in inputs {
            let source = try RecordSource(input)
            if source.isEmpty { emptyNames.append(input.name) } else { sources.append(source) }
        }
        if sources.isEmpty, expected == nil, let name = emptyNames.first {
            throw RecordError(path: name, message: "\"\(name)\" is not a record of a run: it is empty")
        }
        for source in sources {
            guard let expected, let shard = source.shard, shard.count != expected else { continue }
            throw RecordError(
                id: .invalidOption, path: source.name,
                message: "expected \(expected) shards, but \"\(source.name)\" is the record of shard \(shard)")
        }
        tests = MergedTests(limit: limit)
        self.emptyNames = emptyNames
        self.expected = expected
        self.empty = empty
        self.output = output
        loads = MergedLoads(judge: judge)
        let first = sources.map(\.info.startTime).min() ?? 0
        for source in sources {
            // Limits the distance between runs, so that the sum of two times does not overflow.
            source.offset = Int64(min(1e17, (source.info.startTime - first) * 1e9).rounded())
        }
        for source in sources { source.suites = addSuites(of: source) }
        (self.sources, repeatedShards) = try Self.withoutRepeatedShards(sources)
    }

    /// Returns the records that count, and the shards with others.
    private static func withoutRepeatedShards(
        _ sources: [RecordSource]
    ) throws(RecordError) -> (sources: [RecordSource], repeated: [Shard]) {
        var indices: [Shard: [Int]] = [:]
        for (index, source) in sources.enumerated() {
            if let shard = source.shard { indices[shard, default: []].append(index) }
        }
        var ignored: Set<Int> = []
        var repeated: [Shard] = []
        for (shard, indices) in indices where indices.count > 1 {
            for index in indices { try sources[index].readSummary() }
            let others = indices.filter { index in
                indices.contains { $0 != index && sources[$0].replaces(sources[index], isLater: $0 > index) }
            }
            if others.isEmpty { continue }
            ignored.formUnion(others)
            repeated.append(shard)
        }
        return (
            sources.indices.filter { !ignored.contains($0) }.map { sources[$0] },
            repeated.sorted { $0.index < $1.index }
        )
    }

    private mutating func addSuites(of source: RecordSource) -> [Int] {
        var repetitions: [MergedSuite.Key: Int] = [:]
        var result: [Int] = []
        for info in source.info.suites {
            var key = MergedSuite.Key(
                path: info.path, documentIndex: info.documentIndex, name: info.name, environment: info.environment,
                repetition: 0)
            let repetition = repetitions[key] ?? 0
            repetitions[key] = repetition + 1
            key.repetition = repetition
            let index = suiteOfKey[key] ?? suites.count
            suiteOfKey[key] = index
            if index == suites.count { suites.append(MergedSuite(info)) } else { suites[index].join(info) }
            suites[index].planned[source.info.shard, default: 0].formMax(info.testCount)
            result.append(index)
        }
        return result
    }

    // MARK: First pass

    /// Reads the records and outputs the events of the merged run.
    package mutating func run() throws(RecordError) -> RecordOutcome {
        for index in sources.indices { try read(index) }
        return try replay()
    }

    private mutating func read(_ index: Int) throws(RecordError) {
        let source = sources[index]
        var running: [TestKey: (test: TestReference, location: MergedTest.Location)] = [:]
        var starts: [Int: Int64] = [:]
        var exchangesSeen = 0
        loads.startRecord()
        while let line = try source.next() {
            var location = MergedTest.Location(
                record: Int32(clamping: index), line: Int32(clamping: line.number),
                offset: line.bytes.lowerBound, length: line.bytes.count, end: source.offset, weight: .unfinished)
            if case .load(let outline) = line.content { try loads.add(outline, at: location, of: source) }
            guard case .event(let event, _, let time) = line.content else { continue }
            location.end = source.offset.plus(time ?? 0)
            switch event {
            case .runStarted:
                throw source.problem("a second run starts here: a record contains exactly one run")
            case .suiteStarted(let info):
                let suite = try merged(info.index, of: source)
                suites[suite].join(info)
                starts[info.index] = source.offset.plus(info.start)
            case .testStarted(let test):
                _ = try merged(test.suite, of: source)
                running[TestKey(suite: test.suite, position: test.position)] = (test, location)
            case .testCompleted(let result):
                let suite = try merged(result.test.suite, of: source)
                running[TestKey(suite: result.test.suite, position: result.test.position)] = nil
                location.end = source.offset.plus(RecordReplay.end(of: result))
                location.weight = MergedTest.Weight(result)
                if location.weight.wasRun {
                    suites[suite].spans(from: source.offset.plus(result.start), to: location.end)
                }
                if result.test.kind == .test, !result.isCutOff { source.seen += 1 }
                exchangesSeen += result.steps.count { $0.outcome.isSuccess || $0.outcome.isFailure }
                if source.summary == nil { end = max(end, location.end) }
                if !loads.replaces(result, ofSuite: suite) { try add(result.test, to: suite, location) }
            case .notice(var notice):
                if let suite = notice.suite { notice.suite = try merged(suite, of: source) }
                if notice.severity == .error { source.hasServerError = true }
                if notices.count < Self.maximumNotices { notices.append(notice) }
            case .suiteFinished(let summary):
                let suite = try merged(summary.suite, of: source)
                if summary.hasServerError { suites[suite].hasServerError = true }
                if let start = starts[summary.suite] {
                    suites[suite].spans(from: start, to: start.plus(summary.duration))
                }
            case .interrupted: source.wasInterrupted = true
            case .runFinished(let summary):
                source.summary = summary
                exchanges += summary.exchanges
                end = max(end, source.offset.plus(summary.duration))
            case .load, .testFinished, .secretRegistered: break
            }
        }
        for (key, value) in running.sorted(by: { ($0.key.suite, $0.key.position) < ($1.key.suite, $1.key.position) }) {
            try add(value.test, to: try merged(key.suite, of: source), value.location)
        }
        if source.summary == nil {
            let begun = running.values.count { $0.test.kind == .test }
            let missing = max(0, source.info.testCount - source.seen - begun)
            exchanges += exchangesSeen
            var message: MessageText = "\"\(source.name)\" ends before its run finished"
            if missing > 0 { message += "; \(NumberText.count(missing, "test")) had not started" }
            notices.append(RunNotice(.truncatedRecord, severity: .warning, message: message))
        }
    }

    private func merged(_ suite: Int, of source: RecordSource) throws(RecordError) -> Int {
        guard source.suites.indices.contains(suite) else { throw source.problem("unknown suite \(suite)") }
        return source.suites[suite]
    }

    private mutating func add(
        _ test: TestReference, to suite: Int, _ location: MergedTest.Location
    ) throws(RecordError) {
        do throws(FileHandle.Failure) {
            try tests.add(test, suite: suite, location)
        } catch {
            throw Self.spillError(error)
        }
    }

    private static func spillError(_ failure: FileHandle.Failure) -> RecordError {
        let directory = FileHandle.temporaryDirectory
        return RecordError(
            id: .unwritableFile, path: directory,
            message: "cannot write a temporary file in \"\(directory)\": \(SystemInfo.message(of: failure.number))")
    }

    // MARK: Second pass

    private mutating func replay() throws(RecordError) -> RecordOutcome {
        let order = MergedSuite.order(of: suites, in: sources.map(\.suites))
        var locations = [Int](repeating: 0, count: suites.count)
        for (location, suite) in order.enumerated() { locations[suite] = location }
        let tests = try sortedTests(suites: locations)
        let notesAboutLoads = loads.align()
        for suite in suites.indices {
            let count = loads.caseCount(ofSuite: suite)
            suites[suite].info.testCount += count
            suites[suite].doneCount += count
        }
        for source in sources where !source.isWhole {
            source.isSuperseded = sources.contains { $0.isWhole && $0.hasTests(of: source) }
        }
        let missing = missingTests()
        for (location, suite) in order.enumerated() {
            suites[suite].info.index = location
            suites[suite].info.start = suites[suite].start ?? 0
        }
        notices += try notes() + notesAboutLoads
        output(
            RecordedEvent(
                event: .runStarted(runInfo(order.map { suites[$0].info })),
                hasAllExchanges: sources.contains(where: \.hasAllExchanges)))
        for suite in order {
            output(RecordedEvent(event: .suiteStarted(suites[suite].info)))
            var position = 0
            while let test = tests.first, Int(test.suite) == suite {
                do throws(FileHandle.Failure) { try tests.removeFirst() } catch { throw Self.spillError(error) }
                try hand(test, suite: suite, position: position)
                position += 1
            }
            try replayLoads(ofSuite: suite, from: position)
            for notice in notices where notice.suite == suite { hand(notice) }
            var summary = SuiteSummary(
                suite: suites[suite].info.index, counts: suites[suite].counts,
                duration: (suites[suite].end ?? 0).plus(-(suites[suite].start ?? 0)))
            summary.notRun = notRun(ofSuite: suite)
            summary.hasServerError = suites[suite].hasServerError
            output(RecordedEvent(event: .suiteFinished(summary)))
        }
        let general = notices.filter { $0.suite == nil }
        for notice in general { hand(notice) }
        var counts = OutcomeCounts()
        for suite in suites { counts.add(suite.counts) }
        var summary = RunSummary(
            counts: counts, exchanges: exchanges, duration: end,
            wasInterrupted: sources.contains {
                !$0.isSuperseded && ($0.wasInterrupted || $0.summary?.wasInterrupted == true)
            },
            hasServerError: sources.contains { $0.summary?.hasServerError ?? $0.hasServerError })
        summary.missing = missing
        summary.hasSnapshotError = sources.contains { $0.summary?.hasSnapshotError ?? false }
        summary.hasLowCoverage = sources.contains { $0.summary?.hasLowCoverage ?? false }
        summary.coverages = ContractCoverage.merged(sources.flatMap { $0.summary?.coverages ?? [] })
        if summary.wasInterrupted { output(RecordedEvent(event: .interrupted(nil), time: end)) }
        output(RecordedEvent(event: .runFinished(summary)))
        return RecordOutcome(summary: summary, notes: general.filter { $0.severity != .error })
    }

    /// Returns the tests in their final order, and counts those of each suite.
    private mutating func sortedTests(suites locations: [Int]) throws(RecordError) -> SpilledSort<MergedTest> {
        let sources = sources
        do throws(FileHandle.Failure) {
            var (counts, done) = ([Int](repeating: 0, count: suites.count), [Int](repeating: 0, count: suites.count))
            let sorted = try tests.merged(
                suites: locations, areSiblings: { sources[Int($0)].isSibling(of: sources[Int($1)]) },
                names: Self.maximumNames
            ) { test in
                if test.isFixture { return }
                counts[Int(test.suite)] += 1
                if test.location.weight != .unfinished { done[Int(test.suite)] += 1 }
            }
            for suite in suites.indices {
                suites[suite].info.testCount += counts[suite]
                suites[suite].doneCount += done[suite]
            }
            return sorted
        } catch {
            throw Self.spillError(error)
        }
    }

    /// Returns the name of a test.
    func name(of test: MergedTest) throws(RecordError) -> String? {
        switch try sources[Int(test.location.record)].line(test.location) {
        case .event(.testCompleted(let result), _, _): result.test.name
        case .event(.testStarted(let test), _, _): test.name
        default: nil
        }
    }

    private func hand(_ notice: RunNotice) {
        var notice = notice
        if let suite = notice.suite { notice.suite = suites[suite].info.index }
        output(RecordedEvent(event: .notice(notice), time: end))
    }

    private mutating func hand(_ test: MergedTest, suite: Int, position: Int) throws(RecordError) {
        let source = sources[Int(test.location.record)]
        guard case .event(let event, let sizes, let time) = try source.line(test.location) else { return }
        var result: TestResult
        var hasStarted = test.location.weight.wasRun
        switch event {
        case .testCompleted(let completed): result = completed
        case .testStarted(let test):
            result = RecordReplay.unfinished(test, start: time ?? 0)
            hasStarted = true
        default: return
        }
        result.test.suite = suites[suite].info.index
        result.test.position = position
        result.move(by: source.offset)
        suites[suite].counts.count(result)
        if hasStarted {
            output(RecordedEvent(event: .testStarted(result.test), time: result.start))
        }
        for event in [RunEvent.testCompleted(result), .testFinished(result)] {
            output(RecordedEvent(event: event, sizes: sizes, hasAllExchanges: source.hasAllExchanges))
        }
    }

    private mutating func replayLoads(ofSuite suite: Int, from position: Int) throws(RecordError) {
        var counts = OutcomeCounts()
        try loads.replay(suite: suite, as: suites[suite].info.index, from: position) { event in
            if case .testFinished(let result) = event { counts.count(result) }
            output(RecordedEvent(event: event))
        }
        suites[suite].counts.add(counts)
    }

    // MARK: Run

    private func runInfo(_ suites: [SuiteInfo]) -> RunInfo {
        let infos = sources.isEmpty ? [empty] : sources.map(\.info)
        let hosts = infos.map(\.hostName).unique.filter { !$0.isEmpty }
        let directories = infos.map(\.workingDirectory).unique
        var hostName = hosts.prefix(Self.maximumNames).joined(separator: ", ")
        if hosts.count > Self.maximumNames { hostName += ", …" }
        return RunInfo(
            suites: suites, testCount: suites.reduce(0) { $0 + $1.testCount }, seed: infos.first?.seed ?? 0,
            jobs: infos.map(\.jobs).max() ?? 0, version: infos.first?.version ?? "",
            startTime: infos.map(\.startTime).min() ?? 0, hostName: hostName,
            workingDirectory: directories.first ?? "",
            origin: infos.first?.origin.common(with: infos.lazy.map(\.origin)) ?? RunOrigin())
    }
}

extension Int {
    /// Replaces the number with another one if that is greater.
    fileprivate mutating func formMax(_ other: Int) { self = Swift.max(self, other) }
}

extension Array where Element: Hashable {
    /// The elements without duplicates.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension RunInfo {
    /// A run about which nothing is known.
    package static var none: RunInfo {
        RunInfo(suites: [], testCount: 0, seed: 0, jobs: 0, version: "", startTime: 0)
    }
}
