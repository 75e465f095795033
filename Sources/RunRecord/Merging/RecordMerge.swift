import Basics
import Output
import RunModel

/// A merge of records into the events of a single run.
///
/// Identical suites become one, with their tests in file order.
///
/// Records are read twice: first to find all tests, and then to read each test in its final order. In between, only the
/// location of each test is kept in memory.
package struct RecordMerge {
    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    /// The maximum number of notices from all records, and of names in a notice of the merge itself.
    private static let maximumNotices = 1_000
    private static let maximumNames = 5

    private let sources: [RecordSource]
    /// The paths of records without a complete first line.
    private let emptyPaths: [String]
    private let output: (RecordedEvent) -> Void
    private var suites: [MergedSuite] = []
    private var suiteOfKey: [MergedSuite.Key: Int] = [:]
    private var tests: [MergedTest] = []
    /// The test for each name in a suite, by a hash of both.
    private var testOfName: [Int: Int32] = [:]
    private var notices: [RunNotice] = []
    private var repeated = 0
    private var repeatedNames: [String] = []
    private var exchanges = 0
    private var end: Int64 = 0

    /// Opens the records.
    package init(_ paths: [String], output: @escaping (RecordedEvent) -> Void) throws(RecordError) {
        var sources: [RecordSource] = []
        var emptyPaths: [String] = []
        for path in paths {
            let source = try RecordSource(path: path)
            if source.isEmpty { emptyPaths.append(path) } else { sources.append(source) }
        }
        if sources.isEmpty, let path = emptyPaths.first {
            throw RecordError(path: path, message: "\"\(path)\" is not a record of a run: it is empty")
        }
        self.sources = sources
        self.emptyPaths = emptyPaths
        self.output = output
        let first = sources.map(\.info.startTime).min() ?? 0
        for source in sources {
            // Limits the distance between runs, so that the sum of two times does not overflow.
            source.offset = Int64(min(1e17, (source.info.startTime - first) * 1e9).rounded())
            source.suites = addSuites(of: source)
        }
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
        while let line = try source.next() {
            guard case .event(let event, _, let time) = line.content else { continue }
            var location = MergedTest.Location(
                record: Int32(clamping: index), line: Int32(clamping: line.number), bytes: line.bytes,
                end: source.offset.plus(time ?? 0), weight: .unfinished)
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
                add(result.test, to: suite, location)
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
            case .testFinished, .secretRegistered, .load: break
            }
        }
        for (key, value) in running.sorted(by: { ($0.key.suite, $0.key.position) < ($1.key.suite, $1.key.position) }) {
            add(value.test, to: try merged(key.suite, of: source), value.location)
        }
        if source.summary == nil {
            let begun = running.values.count { $0.test.kind == .test }
            let missing = max(0, source.info.testCount - source.seen - begun)
            exchanges += exchangesSeen
            var message: MessageText = "\"\(source.path)\" ends before its run finished"
            if missing > 0 { message += "; \(NumberText.count(missing, "test")) had not started" }
            notices.append(RunNotice(severity: .warning, message: message))
        }
    }

    private func merged(_ suite: Int, of source: RecordSource) throws(RecordError) -> Int {
        guard source.suites.indices.contains(suite) else { throw source.problem("unknown suite \(suite)") }
        return source.suites[suite]
    }

    private mutating func add(_ test: TestReference, to suite: Int, _ location: MergedTest.Location) {
        var hasher = Hasher()
        hasher.combine(suite)
        hasher.combine(test.name)
        let name = hasher.finalize()
        guard let known = testOfName[name].map(Int.init) else {
            testOfName[name] = Int32(clamping: tests.count)
            tests.append(
                MergedTest(
                    suite: Int32(clamping: suite), record: location.record, position: Int32(clamping: test.position),
                    ordinal: test.ordinal, isFixture: test.kind != .test, location: location))
            return
        }
        let other = tests[known].location
        if sources[Int(location.record)].isSibling(of: sources[Int(other.record)]) {
            // The setup or teardown of a suite runs in every shard. A failure in any of them must not be lost.
            if location.weight > other.weight { tests[known].location = location }
            return
        }
        repeated += 1
        if repeatedNames.count < Self.maximumNames { repeatedNames.append(test.name) }
        if (location.weight.wasRun ? 1 : 0, location.end) >= (other.weight.wasRun ? 1 : 0, other.end) {
            tests[known].location = location
        }
    }

    // MARK: Second pass

    private mutating func replay() throws(RecordError) -> RecordOutcome {
        let order = MergedSuite.order(of: suites, in: sources.map(\.suites))
        var locations = [Int](repeating: 0, count: suites.count)
        for (location, suite) in order.enumerated() { locations[suite] = location }
        tests.sort { left, right in
            left.suite == right.suite
                ? left.isBefore(right) : locations[Int(left.suite)] < locations[Int(right.suite)]
        }
        testOfName = [:]
        for test in tests where !test.isFixture {
            suites[Int(test.suite)].info.testCount += 1
            if test.location.weight != .unfinished { suites[Int(test.suite)].doneCount += 1 }
        }
        for source in sources where !source.isWhole {
            source.isSuperseded = sources.contains { $0.isWhole && $0.hasTests(of: source) }
        }
        let missing = missingTests()
        for (location, suite) in order.enumerated() {
            suites[suite].info.index = location
            suites[suite].info.start = suites[suite].start ?? 0
        }
        notices += notes()
        output(
            RecordedEvent(
                event: .runStarted(runInfo(order.map { suites[$0].info })),
                hasAllExchanges: sources.contains(where: \.hasAllExchanges)))
        var next = 0
        for suite in order {
            output(RecordedEvent(event: .suiteStarted(suites[suite].info)))
            var position = 0
            while next < tests.count, Int(tests[next].suite) == suite {
                try hand(tests[next], suite: suite, position: position)
                next += 1
                position += 1
            }
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

    // MARK: Run

    private func runInfo(_ suites: [SuiteInfo]) -> RunInfo {
        let infos = sources.map(\.info)
        let hosts = infos.map(\.hostName).unique.filter { !$0.isEmpty }
        let directories = infos.map(\.workingDirectory).unique
        var hostName = hosts.prefix(Self.maximumNames).joined(separator: ", ")
        if hosts.count > Self.maximumNames { hostName += ", …" }
        return RunInfo(
            suites: suites, testCount: suites.reduce(0) { $0 + $1.testCount }, seed: infos.first?.seed ?? 0,
            jobs: infos.map(\.jobs).max() ?? 0, version: infos.first?.version ?? "",
            startTime: infos.map(\.startTime).min() ?? 0, hostName: hostName, workingDirectory: directories.first ?? "",
            origin: infos.first?.origin.common(with: infos.lazy.map(\.origin)) ?? RunOrigin())
    }

    /// Returns the tests that the records lack, or `nil` if the merged run is complete.
    private func missingTests() -> MissingTests? {
        var reasons: [String] = []
        if let shards = missingShardText { reasons.append("no record of shard \(shards)") }
        for path in emptyPaths.prefix(Self.maximumNames) { reasons.append("\"\(path)\" is empty") }
        let parts = sources.filter { !$0.isWhole && !$0.isSuperseded }
        if parts.contains(where: { $0.wasInterrupted || $0.summary?.wasInterrupted == true }) {
            reasons.append("interrupted")
        }
        for source in parts {
            // The reasons of previously merged records are kept.
            for reason in source.summary?.missing?.reasons ?? [] where !reasons.contains(reason) {
                reasons.append(reason)
            }
        }
        guard !reasons.isEmpty || !parts.isEmpty else { return nil }
        let known = suites.indices.reduce(0) { $0 + plannedTests(ofSuite: $1) }
        let isSharded = sources.allSatisfy { $0.shard != nil }
        let planned = max(known, isSharded ? sources.compactMap(\.info.testCountOfShards).max() ?? 0 : 0)
        let done = suites.reduce(0) { $0 + $1.doneCount }
        let lacking = max(0, planned - done)
        if reasons.isEmpty, lacking == 0, let source = parts.first {
            reasons.append("\"\(source.path)\" ends before its run finished")
        }
        return MissingTests(notRun: lacking, planned: planned, reasons: reasons)
    }

    /// Returns the number of planned tests in a suite.
    ///
    /// The numbers of shards are added up.
    private func plannedTests(ofSuite suite: Int) -> Int {
        suites[suite].planned.values.reduce(0, +)
    }

    private func notRun(ofSuite suite: Int) -> Int {
        max(0, plannedTests(ofSuite: suite) - suites[suite].doneCount)
    }

    /// The first shards without a record and the number of further ones, or `nil` if none is missing.
    private var missingShardText: String? {
        let missing = missingShards
        guard !missing.isEmpty else { return nil }
        let shown = missing.prefix(Self.maximumNames).map(\.description).joined(separator: ", ")
        return shown + (missing.count > Self.maximumNames ? " and \(missing.count - Self.maximumNames) more" : "")
    }

    /// The shards without a record, for each division that any record belongs to.
    ///
    /// Empty unless all records belong to shards.
    private var missingShards: [Shard] {
        let shards = sources.compactMap(\.shard)
        guard shards.count == sources.count else { return [] }
        let known = Set(shards)
        return shards.map(\.division).unique.flatMap { $0.shards.filter { !known.contains($0) } }
    }

    /// Returns notices about inconsistencies between the records.
    private func notes() -> [RunNotice] {
        var notes: [RunNotice] = []
        if repeated > 0 {
            let names = repeatedNames.map { "\"\($0)\"" }.joined(separator: ", ")
            let more = repeated > repeatedNames.count ? " and \(repeated - repeatedNames.count) more" : ""
            let what =
                repeated == 1
                ? "1 test is in several records; only its last run counts"
                : "\(repeated) tests are in several records; only the last run of each counts"
            notes.append(RunNotice(severity: .note, message: "\(what): \(names)\(more)"))
        }
        for path in emptyPaths {
            notes.append(
                RunNotice(severity: .warning, message: "\"\(path)\" is empty: its run was killed at the start"))
        }
        if let shards = missingShardText {
            notes.append(RunNotice(severity: .warning, message: "no record was given for shard \(shards)"))
        }
        if sources.map(\.info.seed).unique.count > 1 {
            let seeds = sources.prefix(Self.maximumNames).map { "\($0.info.seed) (\($0.title))" }.joined(
                separator: ", ")
            let more = sources.count > Self.maximumNames ? ", …" : ""
            notes.append(RunNotice(severity: .note, message: "the runs used different seeds: \(seeds)\(more)"))
        }
        return notes
    }
}

extension Int {
    /// Replaces the number with another one if that is greater.
    fileprivate mutating func formMax(_ other: Int) { self = Swift.max(self, other) }
}

extension Array where Element: Hashable {
    /// The elements without duplicates.
    fileprivate var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
