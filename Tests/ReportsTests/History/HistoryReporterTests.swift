import JSON
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports
@testable import RunRecord

struct HistoryReporterTests {
    /// Stores a run and returns its trends.
    private func keep(
        _ results: [TestResult], in directory: String, start: Double, count: Int = 100, shard: String? = nil,
        id: String = "0123456789ab"
    ) throws -> Trends? {
        let board = TrendBoard()
        let reporter = try HistoryReporter(
            directory: directory, count: count, board: board, id: id, workingDirectory: "/w")
        #expect(reporter.needs == .digests)
        for event in Fixture().events(results) {
            guard case .runStarted(var info) = event else {
                reporter.receive(event)
                continue
            }
            info.startTime = start
            info.shard = shard
            for index in info.suites.indices { info.suites[index].digest = "d" }
            reporter.receive(.runStarted(info))
        }
        try reporter.finish()
        return board.trends
    }

    @Test func aFile() throws {
        let directory = try TemporaryDirectory()
        let fixture = Fixture(name: "Shop\n1")
        let board = TrendBoard()
        let reporter = try HistoryReporter(
            directory: directory.path + "/a/", count: 3, board: board, id: "0123456789ab", workingDirectory: "/w")
        #expect(TemporaryDirectory.names(in: directory.path + "/a") == [])
        for event in fixture.events([
            fixture.result("add a book", .failed), fixture.result("a\nb\\c", .passed, position: 1),
            fixture.result("x", .skipped(reason: "y"), position: 2, milliseconds: 0),
        ]) {
            reporter.receive(event)
        }
        try reporter.finish()
        let names = TemporaryDirectory.names(in: directory.path + "/a")
        #expect(names == ["20231114T221320.000Z-0123456789ab.apitest-run"])
        let text = String(decoding: try TemporaryDirectory.read(directory.path + "/a/" + names[0]), as: UTF8.self)
        #expect(
            text == #"""
                {"apitest":"history","version":1,"start":1700000000000,"seed":"42","tool":"0.1.0"}
                {"suite":"tests/bookshop.yaml","document":0,"name":"Shop\n1"}
                f 41000 add a book
                p 41000 a\nb\\c
                s 0 x
                {"duration":1500000,"interrupted":false}

                """#)
        #expect(board.trends == nil)
    }

    @Test("A run without an end event is stored as far as it is known")
    func withoutAnEnd() throws {
        let directory = try TemporaryDirectory()
        let reporter = try HistoryReporter(
            directory: directory.path, count: 3, board: TrendBoard(), id: "0123456789ab", workingDirectory: "/w")
        for event in Fixture().events([Fixture().result("a", .passed)]).dropLast() { reporter.receive(event) }
        try reporter.finish()
        #expect(TemporaryDirectory.names(in: directory.path).count == 1)
        #expect(try HistoryReader.trends(ofDirectory: directory.path).results == 1)
    }

    @Test func severalRuns() throws {
        let directory = try TemporaryDirectory()
        let fixture = Fixture()
        for (run, outcomes) in [
            [TestResult.Outcome.passed, .failed, .passed], [.passed, .failed, .failed], [.passed, .failed, .passed],
            [.passed, .failed, .failed], [.errored, .passed, .passed],
        ].enumerated() {
            let results = outcomes.enumerated().map { fixture.result("t\($0)", $1, position: $0) }
            let trends = try keep(results, in: directory.path, start: 1_700_000_000 + Double(run))
            #expect((trends == nil) == (run == 0))
            guard run == 4, let trends else { continue }
            #expect(trends.runs == 5)
            #expect(trends.newFailures.tests.map(\.name) == ["t0"])
            #expect(trends.fixed.tests.map(\.name) == ["t1", "t2"])
            #expect(trends.flaky.tests.map(\.name) == ["t2"])
            #expect(TrendText.counts(of: trends) == "1 new failure, 2 fixed, 1 flaky")
        }
        let all = try HistoryReader.trends(ofDirectory: directory.path + "/")
        #expect(all.newFailures.count == 1)
        #expect(all.json["flaky"]?["tests"]?[0]?["test"] == "t2")
        #expect(all.json["flaky"]?["tests"]?[0]?["onContent"]?["changes"] == 4)
        #expect(
            all.markdown.contains(
                "| `Bookshop › t2` | failed in 2 of 5 runs of the same suite content, with 4 outcome changes |"))
    }

    @Test("Only the oldest runs are removed, separately for each shard")
    func pruning() throws {
        let directory = try TemporaryDirectory()
        let others = ["notes.txt", "20231114.apitest-run", "x-y.apitest-run"]
        for name in others { try TemporaryDirectory.write([], to: directory.path + "/" + name) }
        let results = [Fixture().result("a", .passed)]
        for run in 0..<5 {
            for shard in [nil, "1/2", "2/2"] {
                _ = try keep(results, in: directory.path, start: 1_700_000_000 + Double(run), count: 2, shard: shard)
            }
        }
        #expect(
            TemporaryDirectory.names(in: directory.path)
                == [
                    "20231114.apitest-run", "20231114T221323.000Z-0123456789ab-1of2.apitest-run",
                    "20231114T221323.000Z-0123456789ab-2of2.apitest-run",
                    "20231114T221323.000Z-0123456789ab.apitest-run",
                    "20231114T221324.000Z-0123456789ab-1of2.apitest-run",
                    "20231114T221324.000Z-0123456789ab-2of2.apitest-run",
                    "20231114T221324.000Z-0123456789ab.apitest-run", "notes.txt", "x-y.apitest-run",
                ])
    }

    @Test("Simultaneous runs do not overwrite each other, and later runs do not count as previous ones")
    func sameMoment() throws {
        let directory = try TemporaryDirectory()
        let results = [Fixture().result("a", .passed)]
        #expect(try keep(results, in: directory.path, start: 1_700_000_000, id: "000000000001") == nil)
        #expect(try keep(results, in: directory.path, start: 1_700_000_000, id: "000000000002")?.runs == 2)
        #expect(try keep(results, in: directory.path, start: 1_600_000_000, id: "000000000003") == nil)
        #expect(TemporaryDirectory.names(in: directory.path).count == 3)
    }

    @Test func unwritable() throws {
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write([], to: directory.path + "/file")
        #expect(
            throws: ReportError(
                path: directory.path + "/file",
                message: "cannot write the history to \"\(directory.path)/file\": Not a directory")
        ) {
            try HistoryReporter(directory: directory.path + "/file", count: 1, board: TrendBoard())
        }
        #expect(throws: ReportError.self) { try HistoryReader.trends(ofDirectory: directory.path + "/none") }
        #expect(throws: ReportError.self) { try HistoryReader.trends(ofDirectory: directory.path) }
    }

    @Test("Other reports include the trends")
    func otherReports() throws {
        let directory = try TemporaryDirectory()
        let passed = [Fixture().result("a | b", .passed)]
        #expect(try keep(passed, in: directory.path, start: 1_700_000_000) == nil)
        let trends = try #require(
            try keep([Fixture().result("a | b", .failed)], in: directory.path, start: 1_700_000_001))
        let board = TrendBoard()
        board.post(trends)
        var page = MarkdownPage(root: "/", board: board)
        for event in Fixture().events([Fixture().result("a | b", .failed)]) { page.receive(event, sizes: BodySizes()) }
        #expect(
            page.text(limit: 60_000).contains(
                """
                ## Compared with 1 previous run

                ### New failures

                | Test | |
                | --- | --- |
                | `Bookshop › a `&#124;` b` | failed at 2023-11-14T22:13:21Z, passed in the run before |

                """))
        let sink = TextSink()
        let line = TrendsLineReporter(board: board, output: sink.write)
        for event in Fixture().events([]) { line.receive(event) }
        #expect(sink.text == "  compared with 1 previous run: 1 new failure\n")
    }
}
