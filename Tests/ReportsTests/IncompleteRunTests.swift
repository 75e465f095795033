import RunModel
import TestSupport
import Testing

@testable import Reports
@testable import RunRecord

/// Tests that no report of an incomplete run shows success.
struct IncompleteRunTests {
    private static let missing = MissingTests(notRun: 22, planned: 43)

    private static func events(_ missing: MissingTests, wasInterrupted: Bool = false) -> [RunEvent] {
        let fixture = Fixture()
        return fixture.events([fixture.result("a", .passed)]).map { event in
            guard case .runFinished(var summary) = event else { return event }
            summary.missing = missing
            summary.wasInterrupted = wasInterrupted
            return .runFinished(summary)
        }
    }

    private static func report(_ format: ReportRequest.Format, _ events: [RunEvent]) throws -> String {
        let bytes = try RichRun.report(events) { path in
            try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: ReportRequest.Format.allCases.filter { ![.allure, .github, .csv].contains($0) })
    func everyReportTellsIt(_ format: ReportRequest.Format) throws {
        let text = try Self.report(format, Self.events(Self.missing))
        if format == .json {
            #expect(text.contains(#""missing":{"notRun":22,"planned":43}"#))
            return
        }
        #expect(text.contains("incomplete"))
        #expect(text.contains("22 of 43 tests did not run"))
        let shards = MissingTests(notRun: 0, planned: 1, reasons: ["no record of shard 2/3"])
        #expect(try Self.report(format, Self.events(shards)).contains("no record of shard 2/3"))
    }

    @Test(arguments: [ReportRequest.Format.tap, .html, .markdown, .har])
    func everySummaryCountsWhatRan(_ format: ReportRequest.Format) throws {
        #expect(try Self.report(format, Self.events(Self.missing)).contains("21 of 43 tests"))
    }

    @Test func countsHaveTheFailingCase() throws {
        let events = Self.events(Self.missing)
        let root = try XMLElement(parsing: Array(try Self.report(.junit, events).utf8))
        #expect(root.attributes["errors"] == "1")
        let testCase = root.all("testsuite").last?.first("testcase")
        #expect(testCase?.attributes["name"] == "incomplete")
        #expect(testCase?.attributes["classname"] == "apitest.run")
        #expect(try Self.report(.tap, events).contains("not ok 2 - apitest run › incomplete\n"))
        let ctrf = try Self.report(.ctrf, events)
        #expect(ctrf.contains(#""tests":2,"passed":1,"failed":1"#))
        #expect(ctrf.contains(#""complete":false,"planned":43,"notRun":22"#))
        // The entry is not a test that could be run again.
        let report = try PreviousReport(parsing: Array(try Self.report(.junit, events).utf8), path: "report.xml")
        #expect(report.cases.map(\.name) == ["a"])
    }

    @Test func gitHubHasAnError() throws {
        let sink = TextSink()
        let directory = try TemporaryDirectory()
        let reporter = try GitHubReporter(
            path: directory.path + "/summary.md", environment: [:], output: sink.write)
        for event in Self.events(Self.missing) { reporter.receive(event) }
        try reporter.finish()
        #expect(sink.text.contains("::error"))
        #expect(sink.text.contains("title=apitest run › incomplete::22 of 43 tests did not run"))
    }

    @Test func anInterruptedRunIsNamedSo() throws {
        let missing = MissingTests(notRun: 22, planned: 43, reasons: ["interrupted"])
        let events = Self.events(missing, wasInterrupted: true)
        for format in ReportRequest.Format.allCases where ![.json, .allure, .github, .csv].contains(format) {
            let text = try Self.report(format, events)
            #expect(text.contains("interrupted; 22 of 43 tests did not run"), "\(format)")
        }
        let record = try RichRun.report(events) { try JSONLinesReporter(path: $0) }
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write(record, to: directory.path + "/run.jsonl")
        let summary = try RecordPlayer([]).play(RecordInput(path: directory.path + "/run.jsonl")).summary
        #expect(summary.missing == missing)
        #expect(summary.wasInterrupted)
    }
}
