import Basics
import JSON
import JSONSchema
import RunModel
import TestSupport
import Testing

@testable import Reports
@testable import RunRecord

/// Tests of a known failure in reports.
struct KnownOutcomeTests {
    private static let events: [RunEvent] = {
        let fixture = Fixture()
        var finding = Finding(
            subject: "status", type: .status, message: "expected 200, got 500", range: fixture.range("status: 201"),
            details: ["known in known.json:4: SHOP-12"])
        finding.isKnown = true
        let events = fixture.events([
            fixture.result("add a book", .known(reason: ""), findings: [finding]),
            fixture.result("read it back", .passed, position: 1),
        ])
        // A record contains the tests in the order in which they end.
        return events.flatMap { event -> [RunEvent] in
            if case .testFinished(let result) = event { return [.testCompleted(result), event] }
            return [event]
        }
    }()

    /// Returns the texts for a known failure in a format; empty if it has none or does not write a single file.
    private static func texts(_ format: ReportRequest.Format) -> [String] {
        switch format {
        case .junit:
            [
                "<testsuites name=\"apitest\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\"",
                "<system-out>known to fail:\n", "status  expected 200, got 500 [status]\n",
                "known in known.json:4: SHOP-12",
            ]
        case .tap:
            [
                "not ok 1 - Bookshop › add a book # TODO known to fail\n", "message: \"status: expected 200, got 500\"",
                "severity: \"todo\"", "\nok 2 - Bookshop › read it back\n",
            ]
        case .ctrf: ["\"failed\":0", "\"other\":1", "\"known\":1", "\"status\":\"other\"", "\"rawStatus\":\"known\""]
        case .markdown:
            [
                "# ✅ API tests: 1 test passed, 1 known to fail\n",
                "| Tests | Passed | Flaky | Known | Failed |", "| 2 | 1 | 0 | 1 | 0 |", "1 test known to fail.",
                "## Known failures", "status: expected 200, got 500", "known in known.json:4: SHOP-12",
            ]
        case .html:
            ["[0,\"add a book\",6,", "1 passed, 1 known to fail of 2 tests", "known in known.json:4: SHOP-12"]
        case .json: ["\"outcome\":\"known\"", "\"isKnown\":true", "\"known\":1"]
        case .verdict: ["\"verdict\": \"passed\"", "\"known\": 1", "\"failures\": []"]
        case .har, .github, .allure, .csv: []
        }
    }

    @Test(arguments: ReportRequest.Format.allCases.filter { !texts($0).isEmpty })
    func isReported(format: ReportRequest.Format) throws {
        let bytes = try RichRun.report(Self.events) { path in
            try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        let report = String(decoding: bytes, as: UTF8.self)
        for text in Self.texts(format) { #expect(report.contains(text), "\(text) is not in \(report.prefix(20_000))") }
    }

    private static let expected: [RunEvent] = events.map { event in
        func expecting(_ result: TestResult) -> TestResult {
            guard result.outcome.isKnown else { return result }
            var result = result
            result.outcome = .known(reason: "SHOP-#12")
            for index in result.steps.indices { result.steps[index].outcome = .known(reason: "SHOP-#12") }
            return result
        }
        return switch event {
        case .testFinished(let result): .testFinished(expecting(result))
        case .testCompleted(let result): .testCompleted(expecting(result))
        default: event
        }
    }

    /// Returns the texts for a failure that the suite expects.
    private static func textsOfExpected(_ format: ReportRequest.Format) -> [String] {
        switch format {
        case .junit:
            [
                "skipped=\"1\"", "<skipped message=\"expected to fail: SHOP-#12\">expected to fail: SHOP-#12</skipped>",
                "<system-out>expected to fail: SHOP-#12\n",
            ]
        case .tap: ["not ok 1 - Bookshop › add a book # TODO SHOP-\\#12\n", "severity: \"todo\""]
        case .ctrf:
            [
                "\"failed\":0", "\"other\":1", "\"rawStatus\":\"known\"",
                "\"message\":\"expected to fail: SHOP-#12: status: expected 200, got 500\"",
            ]
        case .markdown: ["1 known to fail", "## Known failures", "expected to fail: SHOP-#12"]
        case .html: ["[0,\"add a book\",6,", "expected to fail: SHOP-#12: status"]
        case .json: ["\"outcome\":\"known\",\"reason\":\"SHOP-#12\""]
        case .verdict: ["\"verdict\": \"passed\"", "\"known\": 1"]
        case .har, .github, .allure, .csv: []
        }
    }

    @Test(arguments: ReportRequest.Format.allCases.filter { !textsOfExpected($0).isEmpty })
    func isReportedWithItsReason(format: ReportRequest.Format) throws {
        let make = { (path: String) -> any Reporter in
            try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        let report = String(decoding: try RichRun.report(Self.expected, make), as: UTF8.self)
        for text in Self.textsOfExpected(format) {
            #expect(report.contains(text), "\(text) is not in \(report.prefix(20_000))")
        }
        guard format != .json else { return }
        let record = try RichRun.report(Self.expected) { try JSONLinesReporter(path: $0, keepsExchanges: true) }
        #expect(try RecordSample.replayed(record, make) == Array(report.utf8))
    }

    @Test func theStepIsReported() throws {
        let fixture = Fixture()
        let finding = Finding(
            subject: "status", type: .status, message: "expected 200, got 500", range: fixture.range("status: 201"))
        let steps = [fixture.step("add", .passed), fixture.step("read", .known(reason: ""), findings: [finding])]
        let message = FailureSummary(steps, hasSteps: true).message
        #expect(message == "read\(StepSeparator.text)status: expected 200, got 500")
    }

    @Test(arguments: ReportRequest.Format.allCases.filter { $0 != .allure && $0 != .github })
    func isReadBackFromARecord(format: ReportRequest.Format) throws {
        let make = { (path: String) -> any Reporter in
            if format == .json { return try JSONLinesReporter(path: path, keepsExchanges: true) }
            return try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        let record = try RichRun.report(Self.events) { try JSONLinesReporter(path: $0, keepsExchanges: true) }
        // A second record would contain different times.
        let expected = format == .json ? record : try RichRun.report(Self.events, make)
        #expect(try RecordSample.replayed(record, make) == expected)
    }

    @Test func theRecordFollowsItsSchema() throws {
        let record = try RichRun.report(Self.events) { try JSONLinesReporter(path: $0, keepsExchanges: true) }
        let schema = try JSONSchema(EventsSchema.schema)
        for line in record.split(separator: 0x0A) {
            let value = try JSONValue(parsing: Array(line))
            #expect(schema.isValid(value), "\(schema.violations(of: value))")
        }
    }

    @Test func isNothingToRunAgain() throws {
        let directory = try TemporaryDirectory()
        let record = try RichRun.report(Self.events) { try JSONLinesReporter(path: $0, keepsExchanges: false) }
        try TemporaryDirectory.write(record, to: directory.path + "/run.jsonl")
        let report = try PreviousReport(path: directory.path + "/run.jsonl")
        #expect(report.cases.allSatisfy { !$0.verdict.needsAnotherRun })
    }
}
