import Basics
import JSON
import JSONSchema
import RunModel
import Testing

@testable import Reports

struct VerdictReporterTests {
    private func verdict(_ events: [RunEvent]) throws -> JSONValue {
        let bytes = try RichRun.report(events) { try VerdictReporter(path: $0) }
        #expect(bytes.count <= 64 * 1024)
        let value = try JSONValue(parsing: bytes)
        let schema = try JSONSchema(VerdictSchema.schema)
        #expect(schema.violations(of: value).isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
        return value
    }

    @Test func failures() throws {
        let fixture = Fixture()
        let verdict = try verdict(
            fixture.events([
                fixture.result(
                    "add a book", .failed, findings: [fixture.statusFinding, fixture.titleFinding],
                    exchange: Fixture.created),
                fixture.result("read it back", .blocked(by: "add a book"), position: 1, milliseconds: 0),
                fixture.result(
                    "add a book again", .failed, position: 2, findings: [fixture.statusFinding, fixture.titleFinding],
                    exchange: Fixture.created),
                fixture.result("fine", .passed, position: 3, milliseconds: 1_234),
            ]))
        #expect(verdict.at("verdict") == "failed")
        #expect(verdict.at("counts", "tests") == 4)
        #expect(verdict.at("counts", "blocked") == 1)
        let failures = verdict.at("failures").elements
        try #require(failures.count == 1)
        #expect(failures[0].at("test") == "Bookshop › add a book")
        #expect(failures[0].at("alsoFailed") == 1)
        #expect(failures[0].at("others") == ["Bookshop › add a book again"])
        let findings = failures[0].at("findings").elements
        #expect(findings.map { $0.at("id") } == ["status", "equals"])
        #expect(findings[0].at("message") == "expected 201, got 200")
        #expect(failures[0].at("status") == .number(JSONNumber(Fixture.created.response?.status ?? 0)))
        #expect(failures[0].at("curl").text?.hasPrefix("curl") == true)
    }

    @Test func theRichRun() throws { _ = try verdict(RichRun.events) }

    @Test func anUnfinishedRun() throws {
        let events = Fixture().events([]).filter { if case .runFinished = $0 { false } else { true } }
        let verdict = try verdict(events)
        #expect(verdict.at("verdict") == "incomplete")
        #expect(verdict.at("problems").elements.map { $0.at("id") } == ["incomplete"])
    }

    @Test("A thousand failures with different causes and long values stay within the limit")
    func bounds() throws {
        let fixture = Fixture()
        let results = (0..<1_000).map { index in
            var finding = fixture.titleFinding
            finding.actual = .string(String(repeating: "é", count: 5_000) + "\(index)")
            finding.details = [MessageText(String(repeating: "€\n", count: 5_000))]
            return fixture.result(
                String(repeating: "n", count: 2_000) + "\(index)", .failed, position: index,
                findings: Array(repeating: finding, count: 9 + index), exchange: Fixture.created)
        }
        let verdict = try verdict(fixture.events(results))
        let failures = verdict.at("failures").elements
        #expect(!failures.isEmpty && failures.count <= 20)
        let also = failures.compactMap { $0.at("alsoFailed").numberValue?.int64 }.reduce(0, +)
        let omitted = verdict.at("omittedFailures").numberValue?.int64 ?? 0
        #expect(Int64(failures.count) + also + omitted == 1_000)
    }
}
