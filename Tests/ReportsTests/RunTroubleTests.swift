import SuiteModel
import Testing

@testable import Reports

/// What reports say of a run that failed though every test passed.
struct RunTroubleTests {
    private static func events(_ change: (inout RunSummary) -> Void) -> [RunEvent] {
        let fixture = Fixture()
        return fixture.events([fixture.result("a", .passed)]).map { event in
            guard case .runFinished(var summary) = event else { return event }
            change(&summary)
            return .runFinished(summary)
        }
    }

    private static let serverError = events { $0.hasServerError = true }
    private static let lowCoverage = events { $0.hasLowCoverage = true }

    private static func report(_ format: ReportRequest.Format, _ events: [RunEvent]) throws -> String {
        let bytes = try RichRun.report(events) { path in
            try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (ReportRequest.Format.tap, "\n1..1\nBail out! "), (.markdown, "# ❌ API tests: "), (.html, "<title>"),
    ])
    func isTold(format: ReportRequest.Format, before: String) throws {
        #expect(try Self.report(format, Self.serverError).contains(before + "a server failed"))
        #expect(try Self.report(format, Self.lowCoverage).contains(before + "too little is covered"))
    }

    @Test func isNotHealthy() throws {
        #expect(try Self.report(.ctrf, Self.serverError).contains("\"healthy\":false"))
        #expect(try Self.report(.ctrf, Self.lowCoverage).contains("\"healthy\":false"))
    }

    @Test func theMarkIsThatOfAFailure() {
        for events in [Self.serverError, Self.lowCoverage] {
            guard case .runFinished(let summary)? = events.last else {
                Issue.record("no end")
                return
            }
            #expect(OutcomeText.overall(summary) == .failed)
            #expect(summary.hasFailed)
        }
    }

    /// Records that were written before the member was there have none of it.
    @Test func isReadBackFromARecord() throws {
        for (events, isLow) in [(Self.serverError, false), (Self.lowCoverage, true)] {
            let record = try RichRun.report(events) { try JSONLinesReporter(path: $0) }
            #expect(String(decoding: record, as: UTF8.self).contains("lowCoverage") == isLow)
            let folder = try TemporaryFolder()
            try TemporaryFolder.write(record, to: folder.path + "/run.jsonl")
            let summary = try RecordPlayer([]).play(folder.path + "/run.jsonl").summary
            #expect(summary.hasLowCoverage == isLow)
            #expect(summary.hasFailed)
            #expect(try RecordPlayer([]).merge([folder.path + "/run.jsonl"]).summary.hasLowCoverage == isLow)
        }
    }
}
