import Diagnostics
import JSON
import RunModel
import Testing

@testable import Output
@testable import Reports

struct CTRFReporterTests {
    private func report(_ events: [RunEvent]) throws -> JSONValue {
        let bytes = try RichRun.report(events) { try CTRFReporter(path: $0) }
        let value = try JSONValue(parsing: bytes)
        #expect(try ReportSchema.violations(of: value, named: "ctrf") == [])
        checkCounts(value)
        #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F })
        return value
    }

    /// Checks that the counts in the summary agree with the tests.
    private func checkCounts(_ report: JSONValue) {
        let summary = report.at("results", "summary")
        let tests = report.at("results", "tests").elements
        #expect(summary.at("tests") == .number(JSONNumber(tests.count)))
        for status in ["passed", "failed", "skipped", "pending", "other"] {
            let count = tests.count { $0.at("status") == .string(status) }
            #expect(summary.at(status) == .number(JSONNumber(count)), "\(status)")
        }
        #expect(summary.at("flaky") == .number(JSONNumber(tests.count { $0.at("flaky") == true })))
    }

    @Test func theWholeReport() throws {
        let fixture = Fixture()
        let events = fixture.events([
            fixture.result(
                "add a book", .failed, findings: [fixture.statusFinding, fixture.titleFinding],
                exchange: Fixture.created),
            fixture.result("read it back", .blocked(by: "add a book"), position: 1, milliseconds: 0),
            fixture.result("later", .skipped(reason: "not now"), position: 2, milliseconds: 0),
            fixture.result("fine", .passed, position: 3, milliseconds: 1_234),
        ])
        let report = try report(events)
        let summary = report.at("results", "summary")
        #expect(summary.at("start") == 1_700_000_000_000)
        #expect(summary.at("stop") == 1_700_000_001_500)
        #expect(summary.at("duration") == 1_500)
        let tests = report.at("results", "tests").elements
        #expect(tests[0].at("message") == "status: expected 201, got 200 (and 1 more)")
        #expect(tests[0].at("rawStatus") == "failed")
        #expect(tests[0].at("line") == 4)
        #expect(tests[0].at("filePath") == "tests/bookshop.yaml")
        #expect(tests[0].at("suite") == ["Bookshop"])
        #expect(tests[1].at("status") == "other")
        #expect(tests[1].at("message") == #"blocked by "add a book", which did not pass"#)
        #expect(tests[2].at("message") == "not now")
        #expect(
            tests[3].serialized()
                == #"{"name":"fine","status":"passed","duration":1234,"start":1700000000000,"stop":1700000001234,"#
                + #""suite":["Bookshop"],"filePath":"tests/bookshop.yaml","line":4,"tags":["smoke"],"type":"api"}"#)
        #expect(report.at("results", "environment", "healthy") == false)
    }

    @Test func theRichRun() throws {
        let value = try report(RichRun.events)
        #expect(value.at("results", "extra", "notices").elements.count == 3)
        try GoldenFile.expect(try RichRun.report { try CTRFReporter(path: $0) }, named: "ctrf.json")
    }

    @Test func attempts() throws {
        let fixture = Fixture()
        var flaky = fixture.result("a", .flaky)
        flaky.steps[0].previousAttempts = [
            TestResult.StepAttempt(outcome: .failed, findings: [fixture.statusFinding], duration: 2_600_000),
            TestResult.StepAttempt(outcome: .errored, findings: [fixture.refusedFinding]),
        ]
        var failed = fixture.result("b", .failed, position: 1, findings: [fixture.statusFinding])
        failed.previousAttempts = [TestResult.Attempt(outcome: .failed, steps: failed.steps)]
        var polled = fixture.result("c", .passed, position: 2)
        polled.steps[0].polls = 3
        polled.steps[0].previousAttempts = [TestResult.StepAttempt(outcome: .failed, findings: [])]
        let tests = try report(fixture.events([flaky, failed, polled])).at("results", "tests").elements
        #expect(tests[0].at("flaky") == true)
        #expect(tests[0].at("retries") == 2)
        #expect(
            tests[0].at("retryAttempts").elements.map { $0.at("message") } == [
                "status: expected 201, got 200", "connect: connection refused",
            ])
        #expect(tests[0].at("retryAttempts").elements.first?.at("duration") == 3)
        #expect(tests[1].at("flaky") == false)
        #expect(tests[1].at("retries") == 1)
        #expect(tests[2].at("retries") == .null)
    }

    @Test func steps() throws {
        let fixture = Fixture()
        let result = TestResult(
            test: fixture.test("order", 0, hasSteps: true), outcome: .errored,
            steps: [
                fixture.step("log in", .passed), fixture.step("pay", .errored, findings: [fixture.refusedFinding]),
                fixture.step("ship", .skipped(reason: "if is false")),
            ])
        let test = try report(fixture.events([result])).at("results", "tests").elements.first
        #expect(test?.at("message") == "pay › connect: connection refused")
        #expect(
            test?.at("steps").serialized()
                == #"[{"name":"log in","status":"passed","extra":{"duration":41}},"#
                + #"{"name":"pay","status":"failed","extra":{"duration":41}},"#
                + #"{"name":"ship","status":"skipped","extra":{"duration":41,"reason":"if is false"}}]"#)
    }

    @Test(arguments: HostileText.all)
    func hostileTexts(_ text: String) throws {
        let tests = try report(HostileText.events(text)).at("results", "tests").elements
        #expect(tests.count == 3)
        if text.utf8.count < 100 { #expect(tests[0].at("name") == .string(text.isEmpty ? "(no name)" : text)) }
    }

    @Test func runsThatDoNotEnd() throws {
        let fixture = Fixture()
        let events = fixture.events([fixture.result("a", .passed)])
        let cut = try report(Array(events.prefix(4)))
        #expect(cut.at("results", "summary", "extra", "complete") == false)
        #expect(cut.at("results", "summary", "duration") == 41)
        let interrupted = try report(fixture.events([fixture.result("a", .passed)], extra: [.interrupted(nil)]))
        #expect(interrupted.at("results", "extra", "interrupted") == true)
        #expect(interrupted.at("results", "environment", "healthy") == false)
        #expect(try report([]).at("results", "tests") == [])
        _ = try report(RichRun.killed)
    }

    @Test func manyTestsAreSpilled() throws {
        let fixture = Fixture()
        let reason = String(repeating: "x", count: 4_000)
        let results = (0..<1_000).map { fixture.result("\($0)", .skipped(reason: reason), position: $0) }
        let tests = try report(fixture.events(results)).at("results", "tests").elements
        #expect(tests.map { $0.at("name") } == (0..<1_000).map { .string("\($0)") })
    }

    @Test func aPathThatCannotBeWritten() {
        #expect(throws: ReportError.self) { try CTRFReporter(path: "/proc/none/report.json") }
    }
}
