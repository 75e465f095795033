import RunModel
import TestSupport
import Testing

@testable import Reports
@testable import RunRecord

struct RecordMergeTests {
    /// Returns the record of a suite from names and outcomes, where each test takes 10 ms.
    private func record(
        _ tests: [(name: String, outcome: TestResult.Outcome)], suite: String = "Bookshop",
        path: String = "tests/bookshop.yaml", shard: String? = nil, startTime: Double = 1_700_000_000,
        seed: UInt64 = 42,
        ordinals: [Int]? = nil, isKilled: Bool = false
    ) throws -> [UInt8] {
        var fixture = Fixture(path: path, name: suite)
        fixture.suite.testCount = tests.count
        fixture.suite.start = 1_000_000
        var events: [RunEvent] = [
            .runStarted(
                RunInfo(
                    suites: [fixture.suite], testCount: tests.count, seed: seed, jobs: 2, version: "0.1.0",
                    startTime: startTime, hostName: "host-\(seed)", shard: shard)), .suiteStarted(fixture.suite),
        ]
        var counts = OutcomeCounts()
        for (index, test) in tests.enumerated() {
            var result = fixture.result(test.name, test.outcome, position: index, milliseconds: 10)
            result.test.ordinal = ordinals?[index] ?? index
            result.start = Int64(2 + 10 * index) * 1_000_000
            events.append(.testStarted(result.test))
            if isKilled, index == tests.count - 1 { return try RecordSample.record(events) }
            counts.count(result.outcome)
            events += [.testCompleted(result), .testFinished(result)]
        }
        events += [
            .suiteFinished(
                SuiteSummary(suite: 0, counts: counts, duration: Int64(10 * tests.count + 1) * 1_000_000)),
            .runFinished(
                RunSummary(
                    counts: counts, exchanges: tests.count, duration: Int64(10 * tests.count + 3) * 1_000_000)),
        ]
        return try RecordSample.record(events)
    }

    private static let empty = RunInfo(
        suites: [], testCount: 0, seed: 0, jobs: 0, version: "0.1.0", startTime: 1_700_000_000)

    private func merged(
        _ records: [[UInt8]], expected: Int? = nil
    ) throws -> (events: [RunEvent], outcome: RecordOutcome) {
        let directory = try TemporaryDirectory()
        var paths: [String] = []
        for (index, record) in records.enumerated() {
            paths.append("\(directory.path)/\(index).jsonl")
            try TemporaryDirectory.write(record, to: paths[index])
        }
        let recorder = EventRecorder()
        let inputs = paths.map { RecordInput(path: $0) }
        let outcome = try RecordPlayer([recorder]).merge(inputs, expected: expected, empty: Self.empty)
        return (recorder.events, outcome)
    }

    private func finished(_ events: [RunEvent]) -> [TestResult] {
        events.compactMap { if case .testFinished(let result) = $0 { result } else { nil } }
    }

    private func names(_ events: [RunEvent]) -> [String] {
        finished(events).map { "\($0.test.suite) \($0.test.position) \($0.test.name) \(MergedTest.Weight($0.outcome))" }
    }

    @Test func oneRecordIsItsOwnMerge() throws {
        let made = try merged([try RecordSample.record(keepsExchanges: true)])
        var counts = OutcomeCounts()
        for event in RichRun.events { if case .runFinished(let summary) = event { counts = summary.counts } }
        #expect(made.outcome.summary.counts == counts)
        #expect(made.outcome.summary.exchanges == 23)
        #expect(made.outcome.summary.duration == 1_812_345_678)
        #expect(names(made.events) == names(RichRun.events))
    }

    @Test func shardsAreJoinedInFileOrder() throws {
        let made = try merged([
            record(
                [("setup", .passed), ("b", .passed), ("d", .failed)], shard: "2/2", startTime: 1_700_000_001, seed: 7,
                ordinals: [0, 2, 4]),
            record([("setup", .failed), ("a", .passed), ("c", .flaky)], shard: "1/2", ordinals: [0, 1, 3]),
        ])
        #expect(
            names(made.events) == [
                "0 0 setup failed", "0 1 a passed", "0 2 b passed", "0 3 c flaky", "0 4 d failed",
            ])
        #expect(made.outcome.notes.map(\.message) == ["the runs used different seeds: 7 (shard 2/2), 42 (shard 1/2)"])
        let summary = made.outcome.summary
        #expect([summary.counts.passed, summary.counts.flaky, summary.counts.failed] == [2, 1, 2])
        #expect(summary.exchanges == 6)
        #expect(summary.duration == 1_033_000_000)
        #expect(!summary.wasInterrupted)
        for event in made.events {
            switch event {
            case .runStarted(let info):
                #expect(info.startTime == 1_700_000_000)
                #expect(info.testCount == 5)
                #expect(info.shard == nil)
                #expect(info.hostName == "host-7, host-42")
                #expect(info.suites.map(\.testCount) == [5])
            case .suiteStarted(let info): #expect(info.start == 1_000_000)
            case .suiteFinished(let summary): #expect(summary.duration == 1_031_000_000)
            default: break
            }
        }
        // The second shard started a second later.
        #expect(finished(made.events).map(\.start) == [2, 12, 1_012, 22, 1_022].map { $0 * 1_000_000 })
    }

    @Test func ofTheSameTestTheLastRunCounts() throws {
        let first = try record([("a", .failed), ("b", .passed), ("c", .skipped(reason: "x"))])
        let second = try record([("a", .passed), ("c", .errored)], startTime: 1_700_000_100)
        let third = try record([("a", .skipped(reason: "y")), ("d", .passed)], startTime: 1_700_000_200)
        for records in [[first, second, third], [first, third, second]] {
            let made = try merged(records)
            #expect(
                Set(names(made.events).map { String($0.dropFirst(4)) }) == [
                    "a passed", "b passed", "c errored", "d passed",
                ])
            #expect(
                made.outcome.notes.first?.message.hasPrefix(
                    "3 tests are in several records; only the last run of each counts: ")
                    == true)
            #expect(made.outcome.summary.counts.total == 4)
        }
    }

    @Test func aShardThatIsMissingAndOneThatWasKilled() throws {
        let made = try merged([
            record([("a", .passed), ("b", .passed)], shard: "1/3"),
            record([("c", .passed), ("d", .passed)], shard: "3/3", ordinals: [2, 3], isKilled: true),
        ])
        #expect(names(made.events) == ["0 0 a passed", "0 1 b passed", "0 2 c passed", "0 3 d skipped"])
        #expect(!made.outcome.summary.wasInterrupted)
        #expect(made.outcome.summary.missing?.message == "no record of shard 2/3; 1 of 4 tests did not run")
        #expect(made.outcome.summary.hasFailed)
        #expect(made.outcome.notes.count == 2)
        #expect(made.outcome.notes.map(\.message).joined().contains("no record was given for shard 2/3"))
        #expect(made.outcome.notes.map(\.message).joined().contains("1.jsonl\" ends before its run finished"))
    }

    @Test func aShardThatIsMissingMakesTheRunIncomplete() throws {
        let made = try merged([
            record([("a", .passed)], shard: "1/3"), record([("b", .passed)], shard: "2/3", ordinals: [1]),
        ])
        #expect(!made.outcome.summary.wasInterrupted)
        #expect(made.outcome.summary.missing?.message == "no record of shard 3/3")
        #expect(made.outcome.notes.map(\.message) == ["no record was given for shard 3/3"])
    }

    /// A balanced shard and a hash shard do not have the same tests, even if their numbers match.
    @Test func shardsOfDifferentDivisionsDoNotCompleteEachOther() throws {
        let mixed = try merged([
            record([("a", .passed)], shard: "1/2"), record([("b", .passed)], shard: "hash:2/2", ordinals: [1]),
        ])
        #expect(mixed.outcome.summary.missing?.message == "no record of shard 2/2, hash:1/2")
        let hash = try merged([
            record([("setup", .passed), ("a", .passed)], shard: "hash:1/2"),
            record([("setup", .failed), ("b", .passed)], shard: "hash:2/2", ordinals: [0, 2]),
        ])
        #expect(hash.outcome.summary.missing == nil)
        #expect(names(hash.events) == ["0 0 setup failed", "0 1 a passed", "0 2 b passed"])
        #expect(hash.outcome.notes.isEmpty)
    }

    /// A lost shard that was repeated is complete.
    @Test func aWholeRecordMakesUpForOneThatWasCutOff() throws {
        let lost = try record([("a", .passed), ("b", .passed)], shard: "1/2", isKilled: true)
        let again = try record([("a", .passed), ("b", .passed)], shard: "1/2", startTime: 1_700_000_100)
        let other = try record([("c", .passed)], shard: "2/2", ordinals: [2])
        #expect(try merged([lost, other]).outcome.summary.missing == MissingTests(notRun: 1, planned: 3))
        let made = try merged([lost, other, again])
        #expect(made.outcome.summary.missing == nil)
        #expect(made.outcome.summary.counts.passed == 3)
    }

    /// A shard that an engine started twice counts once: the complete record, or else the last one.
    @Test func aShardThatRanTwiceCountsOnce() throws {
        func shard(_ outcome: TestResult.Outcome, _ startTime: Double, isKilled: Bool = false) throws -> [UInt8] {
            try record([("a", outcome), ("b", .passed)], shard: "1/2", startTime: startTime, isKilled: isKilled)
        }
        let other = try record([("c", .passed)], shard: "2/2", ordinals: [2])
        let complete = try shard(.failed, 1_700_000_000)
        let later = try shard(.passed, 1_700_000_100)
        let cutOff = try shard(.flaky, 1_700_000_200, isKilled: true)
        let first = try shard(.errored, 1_699_999_000, isKilled: true)
        let note =
            "several records of shard 1/2: only the complete one counts, or else the last one"
        for (records, expected) in [
            ([complete, cutOff, other], "a failed, b passed, c passed"),
            ([cutOff, other, complete], "a failed, b passed, c passed"),
            ([later, complete, other], "a passed, b passed, c passed"),
            ([cutOff, first, other], "a flaky, b skipped, c passed"),
        ] {
            let made = try merged(records, expected: 2)
            #expect(names(made.events).map { String($0.dropFirst(4)) }.joined(separator: ", ") == expected)
            #expect(made.outcome.notes.filter { $0.severity == .note }.map(\.message) == [note])
            #expect((made.outcome.summary.missing == nil) == !expected.contains("skipped"))
        }
    }

    /// A later run of the failed tests of a shard does not replace the others.
    @Test func aPartialRunOfAShardReplacesOnlyItsTests() throws {
        let made = try merged([
            record([("a", .failed), ("b", .passed)], shard: "1/1"),
            record([("a", .passed)], shard: "1/1", startTime: 1_700_000_100),
        ])
        #expect(names(made.events) == ["0 0 a passed", "0 1 b passed"])
        #expect(
            made.outcome.notes.map(\.message) == [
                "1 test is in several records; only its last run counts: \"a\""
            ])
    }

    @Test func expectedShards() throws {
        let first = try record([("a", .passed)], shard: "hash:1/3")
        let made = try merged([first], expected: 3)
        #expect(made.outcome.summary.missing?.message == "no record of shard hash:2/3, hash:3/3")
        #expect(made.outcome.summary.hasFailed)
        let error = #expect(throws: RecordError.self) { try merged([first], expected: 4) }
        #expect(error?.message.hasPrefix("expected 4 shards, but \"") == true)
        #expect(error?.message.hasSuffix("0.jsonl\" is the record of shard hash:1/3") == true)
    }

    /// Without shards in the records, only their number is known.
    @Test func expectedRecords() throws {
        let record = try record([("a", .passed)])
        #expect(try merged([record], expected: 1).outcome.summary.missing == nil)
        let made = try merged([record], expected: 3)
        #expect(made.outcome.summary.missing?.message == "expected 3 records, got 1")
        #expect(made.outcome.notes.map(\.message) == ["expected 3 records, got 1"])
    }

    /// If all records are missing, the reports still show that the run failed.
    @Test(arguments: [0, 1])
    func noRecordOfAnyShard(_ empty: Int) throws {
        let made = try merged([[UInt8]](repeating: [], count: empty), expected: 7)
        let text = "no record of shard 1/7, 2/7, 3/7, 4/7, 5/7 and 2 more"
        #expect(made.outcome.summary.missing?.message.hasPrefix(text) == true)
        #expect(made.outcome.summary.hasFailed)
        guard case .runStarted(let info)? = made.events.first else {
            Issue.record("expected the start of a run")
            return
        }
        #expect(info.startTime == 1_700_000_000 && info.suites.isEmpty)
    }

    /// The order in the records and the number of tests in memory do not change the result.
    @Test(arguments: [1, 2, 7, 1_000])
    func testsAreSortedOutsideOfMemory(_ limit: Int) throws {
        let numbers = Array(0..<40)
        func shard(_ index: Int, isReversed: Bool) throws -> [UInt8] {
            var mine = numbers.filter { $0 % 2 == index }
            if isReversed { mine.reverse() }
            let names = ["setup"] + mine.map { "test \($0)" }
            return try record(
                names.map { ($0, index == 1 && $0 == "setup" ? .failed : .passed) }, shard: "\(index + 1)/2",
                ordinals: [0] + mine.map { $0 + 1 })
        }
        let directory = try TemporaryDirectory()
        var inputs: [RecordInput] = []
        for (index, record) in try [shard(1, isReversed: true), shard(0, isReversed: false)].enumerated() {
            try TemporaryDirectory.write(record, to: "\(directory.path)/\(index)")
            inputs.append(RecordInput(path: "\(directory.path)/\(index)"))
        }
        var events: [RunEvent] = []
        var merge = try RecordMerge(inputs, limit: limit) { events.append($0.event) }
        let outcome = try merge.run()
        #expect(
            names(events) == ["0 0 setup failed"] + numbers.map { "0 \($0 + 1) test \($0) passed" })
        #expect(outcome.summary.counts.total == 41 && outcome.notes.isEmpty)
    }

    @Test func anEmptyRecordMakesTheRunIncomplete() throws {
        for beginning in ["", "{\"event\":\"ru"] {
            let made = try merged([record([("a", .passed)]), Array(beginning.utf8)])
            #expect(!made.outcome.summary.wasInterrupted)
            #expect(made.outcome.summary.missing?.message.hasSuffix("1.jsonl\" is empty") == true)
            #expect(names(made.events) == ["0 0 a passed"])
            #expect(made.outcome.notes.count == 1)
            #expect(made.outcome.notes[0].message.hasSuffix("1.jsonl\" is empty: its run was killed at the start"))
        }
    }

    @Test func suitesOfOtherFilesStayApart() throws {
        let made = try merged([
            record([("a", .passed)], path: "b.yaml"), record([("a", .passed)], path: "a.yaml"),
            record([("a", .passed)], suite: "Other", path: "a.yaml"),
        ])
        #expect(names(made.events) == ["0 0 a passed", "1 0 a passed", "2 0 a passed"])
        guard case .runStarted(let info)? = made.events.first else {
            Issue.record("expected the start of a run")
            return
        }
        #expect(info.suites.map { "\($0.path) \($0.name)" } == ["a.yaml Bookshop", "a.yaml Other", "b.yaml Bookshop"])
    }

    @Test(arguments: [
        ([[2, 0], [1]], "2 0 1"), ([[2, 1, 0], [2, 0]], "2 1 0"), ([[2, 0], [2, 1, 0]], "2 1 0"),
        ([[1, 2], [0]], "0 1 2"),
        ([], "0 1 2"),
    ])
    func theOrderOfSuites(_ lists: [[Int]], _ expected: String) {
        let suites = (0..<3).map { MergedSuite(SuiteInfo(index: $0, name: "s", path: "\($0).yaml", testCount: 1)) }
        let order = MergedSuite.order(of: suites, in: lists)
        let words = order.map(String.init).joined(separator: " ")
        if lists == [[2, 0], [1]] {
            #expect(Set(order) == [0, 1, 2] && order.firstIndex(of: 2) ?? 9 < order.firstIndex(of: 0) ?? 0)
        } else {
            #expect(words == expected)
        }
    }

    @Test func aMergedRecordCanBeMergedAgain() throws {
        let parts = [
            try record([("b", .passed)], shard: "2/2", ordinals: [1]), try record([("a", .failed)], shard: "1/2"),
        ]
        let directory = try TemporaryDirectory()
        for (index, part) in parts.enumerated() { try TemporaryDirectory.write(part, to: "\(directory.path)/\(index)") }
        let player = RecordPlayer([try JSONLinesReporter(path: directory.path + "/all", keepsExchanges: true)])
        _ = try player.merge(["/0", "/1"].map { RecordInput(path: directory.path + $0) })
        #expect(player.finish() == [])
        let again = RecordPlayer([try JSONLinesReporter(path: directory.path + "/again", keepsExchanges: true)])
        _ = try again.merge([RecordInput(path: directory.path + "/all")])
        #expect(
            try TemporaryDirectory.read(directory.path + "/again") == TemporaryDirectory.read(directory.path + "/all"))
    }

    @Test func whatCannotBeMerged() throws {
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write([], to: directory.path + "/empty")
        for path in ["-", directory.path + "/none", directory.path + "/empty"] {
            #expect(throws: RecordError.self) { try RecordPlayer([]).merge([RecordInput(path: path)]) }
        }
    }
}
