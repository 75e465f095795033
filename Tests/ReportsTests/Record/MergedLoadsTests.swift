import Basics
import Histogram
import RunModel
import TestSupport
import Testing

@testable import Reports
@testable import RunRecord

@Suite("Merged loads")
struct MergedLoadsTests {
    /// A request of a load.
    private struct Request {
        /// The second in which it ends, from 0.
        var second: Int
        var step: Int
        var response: Int64
        var service: Int64
        var isFailed: Bool
    }

    private static let second: Int64 = 1_000_000_000
    private static let names = [("flow", "list"), ("flow", "again"), ("single", nil)]
    private static let fixture = Fixture()

    private static func requests(seed: UInt64, count: Int) -> [Request] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            // Latencies of all magnitudes, up to those beyond the range of the histograms.
            let response = Int64.random(in: 1...10, using: &random) << Int64.random(in: 0...41, using: &random)
            return Request(
                second: Int.random(in: 0..<5, using: &random), step: Int.random(in: 0..<3, using: &random),
                response: response, service: response / 2, isFailed: Int.random(in: 0..<10, using: &random) == 0)
        }
    }

    /// Returns the events of a load with these requests, as one process counts them.
    private static func events(
        _ requests: [Request], shard: String?, startTime: Double = 1_700_000_010, runStart: Double = 1_700_000_000,
        isKilled: Bool = false,
        _ change: (inout LoadSummary) -> Void = { _ in }
    ) throws -> [RunEvent] {
        var seconds = (1...5).map { LoadSecond(time: Int64($0) * second, duration: second) }
        var summary = LoadSummary(profile: "peak", load: "9/s for 5s", range: fixture.range("Bookshop"))
        summary.startTime = startTime
        summary.duration = 5 * second
        summary.thresholds = [
            LoadSummary.Condition(source: "failed == 0.0", range: fixture.range("title")),
            LoadSummary.Condition(source: "p99 > duration('1s')", range: fixture.range("Dune")),
        ]
        summary.steps = names.map { LoadSummary.Step(test: $0.0, step: $0.1) }
        for request in requests {
            seconds[request.second].statistics.record(
                response: request.response, service: request.service, isFailed: request.isFailed)
            seconds[request.second].started += 1
            summary.steps[request.step].statistics.record(
                response: request.response, service: request.service, isFailed: request.isFailed)
            summary.iterations += 1
            if request.isFailed { summary.failedIterations += 1 }
            summary.iterationDurations.record(request.response)
            summary.lateness.record(request.service % 1_000)
        }
        for step in summary.steps { try summary.total.merge(step.statistics) }
        change(&summary)
        var suite = fixture.suite
        suite.testCount = shard == nil ? 2 : 0
        var info = RunInfo(
            suites: [suite], testCount: suite.testCount, seed: 42, jobs: 1, version: "0.1.0",
            startTime: runStart, shard: shard)
        info.testCountOfShards = shard == nil ? nil : 2
        var events: [RunEvent] = [.runStarted(info), .suiteStarted(suite)]
        events += seconds.map { .load(.second($0)) }
        if isKilled { return events }
        events.append(.load(.finished(summary)))
        if shard == nil {
            for result in judged(summary) { events += [.testCompleted(result), .testFinished(result)] }
        }
        let counts = OutcomeCounts()
        events.append(.suiteFinished(SuiteSummary(suite: 0, counts: counts, duration: 6 * second)))
        events.append(.runFinished(RunSummary(counts: counts, exchanges: requests.count, duration: 6 * second)))
        return events
    }

    /// Judges the figures by a simple rule: each threshold fails if the load has failures.
    private static func judged(_ summary: LoadSummary) -> [TestResult] {
        summary.thresholds.enumerated().map { position, threshold in
            fixture.result(threshold.source, summary.total.failed > 0 ? .failed : .passed, position: position)
        }
    }

    private struct Merged {
        var events: [RunEvent] = []
        var outcome: RecordOutcome
        var record: [UInt8]

        var loads: [LoadSummary] {
            events.compactMap { if case .load(.finished(let summary)) = $0 { summary } else { nil } }
        }

        var seconds: [LoadSecond] {
            events.compactMap { if case .load(.second(let second)) = $0 { second } else { nil } }
        }

        var results: [String] {
            events.compactMap { event in
                guard case .testFinished(let result) = event else { return nil }
                return "\(result.test.position) \(result.test.name) \(MergedTest.Weight(result.outcome))"
            }
        }
    }

    private func merged(_ runs: [[RunEvent]]) throws -> Merged {
        try merged(records: try runs.map { try RecordSample.record($0) })
    }

    private func merged(records: [[UInt8]]) throws -> Merged {
        let directory = try TemporaryDirectory()
        var paths: [String] = []
        for (index, record) in records.enumerated() {
            paths.append("\(directory.path)/\(index).jsonl")
            try TemporaryDirectory.write(record, to: paths[index])
        }
        let recorder = EventRecorder()
        let writer = try JSONLinesReporter(path: directory.path + "/merged.jsonl", keepsExchanges: true)
        let player = RecordPlayer([recorder, writer])
        let outcome = try player.merge(paths.map { RecordInput(path: $0) }, judge: Self.judged)
        for error in player.finish() { throw error }
        return Merged(
            events: recorder.events, outcome: outcome,
            record: try TemporaryDirectory.read(directory.path + "/merged.jsonl"))
    }

    @Test("The histograms of shards are bit for bit those of one process that counts all requests")
    func oneProcess() throws {
        let requests = Self.requests(seed: 7, count: 3_000)
        let one = try merged([try Self.events(requests, shard: nil)])
        let shards = try (0..<3).map { shard in
            let part = requests.enumerated().filter { $0.offset % 3 == shard }.map(\.element)
            return try Self.events(part, shard: "\(shard + 1)/3")
        }
        // The order of the records does not matter.
        let all = try merged([shards[2], shards[0], shards[1]])
        let (whole, sum) = (try #require(one.loads.first), try #require(all.loads.first))
        #expect(all.loads.count == 1)
        for (left, right) in zip(
            [whole.total] + whole.steps.map(\.statistics), [sum.total] + sum.steps.map(\.statistics))
        {
            #expect(right.response.encoded() == left.response.encoded())
            #expect(right.response == left.response)
            #expect(right.service == left.service)
            #expect([right.requests, right.failed] == [left.requests, left.failed])
        }
        #expect(sum.iterationDurations == whole.iterationDurations)
        #expect(sum.lateness == whole.lateness)
        #expect([sum.iterations, sum.failedIterations] == [whole.iterations, whole.failedIterations])
        #expect([sum.duration, Int64(sum.loops)] == [whole.duration, 3])
        #expect(all.seconds.count == 5)
        for (left, right) in zip(one.seconds, all.seconds) {
            #expect(right.statistics.response == left.statistics.response)
            #expect(right.statistics.service == left.statistics.service)
            #expect([right.time, right.duration] == [left.time, left.duration])
            #expect([right.started, right.statistics.failed] == [left.started, left.statistics.failed])
        }
        #expect(all.results == one.results)
        #expect(all.results == ["0 failed == 0.0 failed", "1 p99 > duration('1s') failed"])
        #expect(all.outcome.summary.counts == one.outcome.summary.counts)
        #expect(all.outcome.summary.missing == nil)
        #expect(all.outcome.summary.hasFailed)
    }

    @Test("The merge of a merged record is the same")
    func again() throws {
        let requests = Self.requests(seed: 1, count: 100)
        let all = try merged([
            try Self.events(requests, shard: "1/2"),
            try Self.events(requests, shard: "2/2", startTime: 1_700_000_012.4),
        ])
        #expect(try merged(records: [all.record]).record == all.record)
    }

    @Test("Shards that start at different times are aligned by the clock")
    func alignment() throws {
        let request = Request(second: 0, step: 0, response: 10, service: 5, isFailed: false)
        let all = try merged([
            try Self.events([request], shard: "2/2", startTime: 1_700_000_012.25) { summary in
                summary.slowest = [
                    LoadSummary.SlowRequest(step: "single", response: 9, time: Self.second, exchange: Fixture.created)
                ]
            }, try Self.events([request, request], shard: "1/2"),
        ])
        let load = try #require(all.loads.first)
        #expect(load.startTime == 1_700_000_010)
        #expect(load.duration == 7_250_000_000)
        #expect(load.slowest.first?.time == 3_250_000_000)
        #expect(all.seconds.map(\.started) == [2, 0, 1, 0, 0, 0, 0, 0].prefix(all.seconds.count).map { $0 })
        #expect(all.seconds.last?.time == load.duration)
        // The seconds follow each other without gaps, although the shards' seconds overlap.
        var last: Int64 = 0
        for second in all.seconds {
            #expect(second.time - second.duration == last)
            last = second.time
        }
    }

    @Test("Iterations in flight are added up, and a second is a warm-up only if it is one for all shards")
    func inFlight() throws {
        func shard(_ name: String, _ inFlight: Int, isWarmup: Bool) throws -> [RunEvent] {
            try Self.events([], shard: name).map { event in
                guard case .load(.second(var second)) = event else { return event }
                second.inFlight = inFlight
                second.isWarmup = isWarmup && second.time <= 2 * Self.second
                return .load(.second(second))
            }
        }
        let same = try merged([try shard("1/2", 3, isWarmup: true), try shard("2/2", 4, isWarmup: true)])
        #expect(same.seconds.map(\.inFlight) == [7, 7, 7, 7, 7])
        #expect(same.seconds.map(\.isWarmup) == [true, true, false, false, false])
        let mixed = try merged([try shard("1/2", 3, isWarmup: true), try shard("2/2", 4, isWarmup: false)])
        #expect(mixed.seconds.filter(\.isWarmup).isEmpty)
        // No request was measured at all.
        #expect(mixed.loads.first?.invalidities == [.empty])
    }

    @Test("Causes are added up, and the slowest requests of all shards are kept")
    func causes() throws {
        func cause(_ message: MessageText, _ count: Int, step: String = "single") -> LoadSummary.Cause {
            LoadSummary.Cause(
                finding: Finding(subject: "status", type: .status, message: message), step: step, count: count,
                exchange: Fixture.created)
        }
        func slow(_ response: Int64) -> LoadSummary.SlowRequest {
            LoadSummary.SlowRequest(step: "single", response: response, time: response, exchange: Fixture.created)
        }
        let requests = Self.requests(seed: 3, count: 10)
        let all = try merged([
            try Self.events(requests, shard: "1/2") { summary in
                summary.causes = [cause("a", 5), cause("b", 2)]
                summary.otherFailures = 1
                summary.slowest = [90, 70, 50].map(slow)
            },
            try Self.events(requests, shard: "2/2") { summary in
                summary.causes = [cause("b", 4), cause("b", 1, step: "flow › list")]
                summary.otherFailures = 2
                summary.slowest = (60...68).reversed().map(slow)
            },
        ])
        let load = try #require(all.loads.first)
        #expect(
            load.causes.map { "\($0.step) \($0.finding.message) \($0.count)" } == [
                "single b 6", "single a 5", "flow › list b 1",
            ])
        #expect(load.otherFailures == 3)
        #expect(load.slowest.map(\.response) == [90, 70, 68, 67, 66, 65, 64, 63, 62, 61])
    }

    @Test("A step without requests in some shards keeps its position")
    func steps() throws {
        func shard(_ name: String, _ steps: [String]) throws -> [RunEvent] {
            try Self.events([], shard: name) { $0.steps = steps.map { LoadSummary.Step(test: "flow", step: $0) } }
        }
        let all = try merged([
            try shard("1/3", ["b", "d"]), try shard("2/3", ["a", "b", "c"]), try shard("3/3", ["d", "e"]),
        ])
        #expect(all.loads.first?.steps.map(\.step) == ["a", "b", "c", "d", "e"])
    }

    @Test("The figures are invalid if those of any shard are, and an abort of one shard fails the load")
    func invalidities() throws {
        let requests = Self.requests(seed: 3, count: 10)
        let all = try merged([
            try Self.events(requests, shard: "1/3") {
                $0.invalidities = [.late(p99: 10, response: 100), .busy(share: 0.95)]
            },
            try Self.events(requests, shard: "2/3") { $0.invalidities = [.late(p99: 20, response: 300)] },
            try Self.events([], shard: "3/3") { summary in
                summary.abort = LoadSummary.Condition(source: "failed > 9.0", range: Self.fixture.range("title"))
                (summary.isAborted, summary.isCutShort) = (true, true)
            },
        ])
        let load = try #require(all.loads.first)
        #expect(load.invalidities == [.late(p99: 20, response: 300), .busy(share: 0.95)])
        #expect(load.isAborted && load.isCutShort)
    }

    @Test("A missing or killed shard makes the run incomplete")
    func missing() throws {
        let requests = Self.requests(seed: 3, count: 10).map { request in
            var request = request
            request.isFailed = false
            return request
        }
        let first = try Self.events(requests, shard: "1/2")
        let missing = try merged([first])
        #expect(missing.outcome.summary.missing?.reasons == ["no record of shard 2/2"])
        #expect(missing.outcome.summary.hasFailed)
        #expect(missing.results == ["0 failed == 0.0 passed", "1 p99 > duration('1s') passed"])

        let killed = try merged([first, try Self.events(requests, shard: "2/2", isKilled: true)])
        #expect(killed.outcome.summary.missing != nil)
        // Without the result of its shard, a second does not count either.
        #expect(killed.seconds.reduce(0) { $0 + $1.statistics.requests } == killed.loads.first?.total.requests)

        let whole = try merged([first, try Self.events(requests, shard: "2/2")])
        #expect(whole.outcome.summary.missing == nil)
        #expect(!whole.outcome.summary.hasFailed)
    }

    @Test("A shard that ran twice counts once")
    func repeated() throws {
        let requests = Self.requests(seed: 3, count: 30)
        let second = try Self.events(Array(requests.prefix(10)), shard: "2/2")
        let again = try Self.events(
            Array(requests.prefix(20)), shard: "2/2", startTime: 1_700_000_500, runStart: 1_700_000_490)
        for runs in [[second, again], [again, second]] {
            let all = try merged([try Self.events(requests, shard: "1/2")] + runs)
            #expect(all.loads.first?.total.requests == 50)
            #expect(
                all.outcome.notes.map(\.message) == [
                    "several records of shard 2/2: only the complete one counts, or else the last one"
                ])
        }
    }

    @Test("Shards of different loads are noticed")
    func different() throws {
        let all = try merged([
            try Self.events([], shard: "1/2"), try Self.events([], shard: "2/2") { $0.load = "8/s for 5s" },
        ])
        #expect(
            all.outcome.notes.map(\.message) == [
                "the shards of the load \"peak\" differ: 9/s for 5s (shard 1/2), 8/s for 5s (shard 2/2)"
            ])
    }

    @Test("A histogram is decoded only when its second is merged, and an error states its location")
    func damaged() throws {
        let requests = Self.requests(seed: 3, count: 200)
        let whole = try RecordSample.record(try Self.events(requests, shard: "1/2"))
        var lines = String(decoding: try RecordSample.record(try Self.events(requests, shard: "2/2")), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        let last = try #require(lines.lastIndex { $0.contains("\"event\":\"loadSecond\"") })
        lines[last] = lines[last].replacing(
            "\"histogram\":\"HISTFAAA", with: "\"histogram\":\"HISTFBBB", maxReplacements: 1)
        let directory = try TemporaryDirectory()
        let paths = ["\(directory.path)/1.jsonl", "\(directory.path)/2.jsonl"]
        try TemporaryDirectory.write(whole, to: paths[0])
        try TemporaryDirectory.write(Array(lines.joined(separator: "\n").utf8), to: paths[1])
        var seconds = 0
        var merge = try RecordMerge(paths.map { RecordInput(path: $0) }) { recorded in
            if case .load(.second) = recorded.event { seconds += 1 }
        }
        let error = #expect(throws: RecordError.self) { _ = try merge.run() }
        #expect(error?.path == paths[1] && error?.line == last + 1)
        let column = try #require(lines[last].firstRange(of: "\"response\":"))
        #expect(error?.column == lines[last].utf8.distance(from: lines[last].startIndex, to: column.lowerBound) + 1)
        #expect(error?.message.hasPrefix("\"response\" is not a valid histogram") == true)
        #expect(seconds == 4)
    }

    @Test("Loads that are not shards of the same load stay separate")
    func separate() throws {
        let requests = Self.requests(seed: 3, count: 10)
        let all = try merged([
            try Self.events(requests, shard: nil), try Self.events(requests, shard: nil) { $0.profile = "soak" },
        ])
        #expect(all.loads.map(\.profile) == ["peak", "soak"])
        #expect(all.loads.map(\.total.requests) == [10, 10])
        #expect(all.results.map { $0.prefix(1) } == ["0", "1", "2", "3"])
    }
}
