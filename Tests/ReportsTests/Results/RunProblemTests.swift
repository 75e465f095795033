import Basics
import RunModel
import TestSupport
import Testing

@testable import Reports
@testable import RunRecord

/// Tests of a run that failed although every test passed, in reports.
struct RunProblemTests {
    private static func events(_ change: (inout RunSummary) -> Void) -> [RunEvent] {
        let fixture = Fixture()
        return fixture.events([fixture.result("a", .passed)]).map { event in
            guard case .runFinished(var summary) = event else { return event }
            change(&summary)
            return .runFinished(summary)
        }
    }

    private static let serverError = events { $0.hasServerError = true }
    private static let snapshotError = events { $0.hasSnapshotError = true }
    private static let lowCoverage = events { $0.hasLowCoverage = true }

    private static func report(_ format: ReportRequest.Format, _ events: [RunEvent]) throws -> String {
        let bytes = try RichRun.report(events) { path in
            try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (ReportRequest.Format.tap, "not ok 2 - apitest run › "), (.markdown, "# ❌ API tests: "), (.html, "<title>"),
    ])
    func isReported(format: ReportRequest.Format, before: String) throws {
        #expect(try Self.report(format, Self.serverError).contains(before + "a server failed"))
        #expect(try Self.report(format, Self.snapshotError).contains(before + "a snapshot was not written"))
        #expect(try Self.report(format, Self.lowCoverage).contains(before + "coverage below threshold"))
    }

    /// Readers of JUnit reports know only test cases.
    @Test(arguments: [false, true])
    func isACaseOfJUnit(isStrict: Bool) throws {
        let notice = RunEvent.notice(
            RunNotice(.serveEnded, severity: .error, message: "the end <of> it", details: ["more"]))
        let cases = [
            (Self.serverError, "errors", "error", "a server failed", "serve"),
            (Self.snapshotError, "errors", "error", "a snapshot was not written", "snapshot"),
            (Self.lowCoverage, "failures", "failure", "coverage below threshold", "coverage"),
        ]
        var options = JUnitOptions()
        options.isStrict = isStrict
        for (events, count, element, name, type) in cases {
            let bytes = try RichRun.report(Array(events.dropLast()) + [notice] + events.suffix(1)) { path in
                try JUnitReporter(
                    path: path, options: options, hostName: "host.example", workingDirectory: "/")
            }
            let root = try XMLElement(parsing: bytes)
            let suites = root.all("testsuite")
            #expect(suites.map { $0.attributes["name"] } == ["Bookshop", "apitest run"])
            #expect(suites.map { $0.attributes[count] } == ["0", "1"])
            if !isStrict {
                #expect(root.attributes["tests"] == "2")
                #expect(root.attributes[count] == "1")
            }
            let problem = try #require(suites.last?.first("testcase"))
            #expect(problem.attributes == ["name": name, "classname": "apitest.run", "time": "0.000"])
            let what = try #require(problem.first(element))
            #expect(what.attributes == ["message": "the end <of> it [serve-ended]", "type": type])
            #expect(what.text == "the end <of> it [serve-ended]\n  more\n")
            // The entry is not a test that could be run again.
            #expect(try PreviousReport(parsing: bytes, path: "report.xml").cases.map(\.name) == ["a"])
        }
    }

    @Test func isAResultOfAllure() throws {
        for (events, status, name) in [
            (Self.serverError, "broken", "a server failed"),
            (Self.snapshotError, "broken", "a snapshot was not written"),
            (Self.lowCoverage, "failed", "coverage below threshold"),
        ] {
            let directory = try TemporaryDirectory()
            let path = directory.path + "/allure-results"
            let fanOut = ReportFanOut([try AllureReporter(path: path, executor: nil)], showsExchanges: false)
            for event in events { fanOut.send(event) }
            #expect(fanOut.finish() == [])
            let results = TemporaryDirectory.names(in: path).filter { $0.hasSuffix("-result.json") }
            let texts = try results.map {
                String(decoding: try TemporaryDirectory.read(path + "/" + $0), as: UTF8.self)
            }
            #expect(texts.count == 2)
            #expect(texts.contains { $0.contains("\"name\":\"\(name)\"") && $0.contains("\"status\":\"\(status)\"") })
        }
    }

    /// A failed test already shows that the run failed.
    @Test func isNoCaseBesideAFailure() throws {
        let fixture = Fixture()
        let events = fixture.events([fixture.result("a", .failed)]).map { event in
            guard case .runFinished(var summary) = event else { return event }
            summary.hasLowCoverage = true
            summary.counts = OutcomeCounts()
            summary.counts.count(.failed)
            return .runFinished(summary)
        }
        let root = try XMLElement(parsing: Array(try Self.report(.junit, events).utf8))
        #expect(root.all("testsuite").count == 1)
    }

    @Test func isNotHealthy() throws {
        #expect(try Self.report(.ctrf, Self.serverError).contains("\"healthy\":false"))
        #expect(try Self.report(.ctrf, Self.lowCoverage).contains("\"healthy\":false"))
    }

    @Test func theMarkIsThatOfAFailure() {
        for events in [Self.serverError, Self.snapshotError, Self.lowCoverage] {
            guard case .runFinished(let summary)? = events.last else {
                Issue.record("expected the end of the run")
                return
            }
            #expect(OutcomeText.overall(summary) == .failed)
            #expect(summary.hasFailed)
        }
    }

    /// Older records do not have the member.
    @Test func isReadBackFromARecord() throws {
        for (events, isLow, isUnwritten) in [
            (Self.serverError, false, false), (Self.snapshotError, false, true), (Self.lowCoverage, true, false),
        ] {
            let record = try RichRun.report(events) { try JSONLinesReporter(path: $0) }
            #expect(String(decoding: record, as: UTF8.self).contains("lowCoverage") == isLow)
            let directory = try TemporaryDirectory()
            try TemporaryDirectory.write(record, to: directory.path + "/run.jsonl")
            let summary = try RecordPlayer([]).play(RecordInput(path: directory.path + "/run.jsonl")).summary
            #expect(summary.hasLowCoverage == isLow)
            #expect(summary.hasSnapshotError == isUnwritten)
            #expect(summary.hasFailed)
            let merged = try RecordPlayer([]).merge([RecordInput(path: directory.path + "/run.jsonl")]).summary
            #expect(merged.hasLowCoverage == isLow && merged.hasSnapshotError == isUnwritten)
        }
    }
}
