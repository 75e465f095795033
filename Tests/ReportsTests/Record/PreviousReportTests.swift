import Diagnostics
import RunModel
import TestSupport
import Testing

@testable import Reports
@testable import RunRecord

@Suite("Previous reports")
struct PreviousReportTests {
    private func cases(_ text: String) throws -> [PreviousCase] {
        try PreviousReport(parsing: Array(text.utf8), path: "report.xml").cases
    }

    @Test("Cases of all nested suites are read, with the suite's file if they have none")
    func nesting() throws {
        let cases = try cases(
            """
            <testsuites><testsuite name="outer" file="a.yaml">
              <properties><property name="failure" value="x"/></properties>
              <testsuite name="inner"><testcase name="one" classname="c" time="0.25"/></testsuite>
              <testsuite name="other" file="b.yaml"><testcase name="two" file="c.yaml"/></testsuite>
              <testcase name="three"/>
            </testsuite><testcase name="four"/></testsuites>
            """)
        #expect(
            cases == [
                PreviousCase(
                    name: "one", suiteName: "inner", className: "c", file: "a.yaml", verdict: .passed,
                    duration: 250_000_000),
                PreviousCase(name: "two", suiteName: "other", file: "c.yaml", verdict: .passed),
                PreviousCase(name: "three", suiteName: "outer", file: "a.yaml", verdict: .passed),
                PreviousCase(name: "four", verdict: .passed),
            ])
    }

    @Test(
        "The verdict of a case is read",
        arguments: [
            ("", PreviousCase.Verdict.passed), ("<failure message=\"x\">text</failure>", .failed),
            ("<error/>", .errored),
            ("<skipped/>", .skipped), ("<skipped message=\"later\"/>", .skipped),
            ("<skipped message=\"blocked by &quot;a&quot;, which did not pass\"/>", .blocked),
            ("<flakyFailure/><system-out>x</system-out>", .passed), ("<failure/><rerunFailure/>", .failed),
            ("<failure/><error/>", .errored), ("<properties><failure/></properties>", .passed),
        ])
    func verdicts(content: String, verdict: PreviousCase.Verdict) throws {
        let cases = try cases("<testsuite><testcase name=\"t\" time=\"1\">\(content)</testcase></testsuite>")
        #expect(cases.map(\.verdict) == [verdict])
        let wasRun = verdict != .skipped && verdict != .blocked
        #expect(cases.first?.duration == (wasRun ? 1_000_000_000 : nil))
    }

    @Test(
        "Durations are parsed",
        arguments: [
            ("0.001", 1_000_000), ("1,234.5", 1_234_500_000_000), ("0", 0), ("-1", nil), ("nan", nil), ("x", nil),
            ("", nil), ("1e400", nil),
        ] as [(String, Int64?)])
    func times(text: String, nanoseconds: Int64?) throws {
        #expect(try cases("<testsuite><testcase time=\"\(text)\"/></testsuite>").first?.duration == nanoseconds)
    }

    @Test("An invalid report is rejected with the location of the error")
    func mistakes() {
        let cut = #expect(throws: PreviousReport.Failure.self) { try cases("<testsuites>\n<testsuite>") }
        #expect(cut?.diagnostic.range?.start.line == 2)
        #expect(cut?.diagnostic.id == "invalid-report")
        let other = #expect(throws: PreviousReport.Failure.self) { try cases("<html/>") }
        #expect(other?.diagnostic.message.contains("\"html\"") == true)
        let missing = #expect(throws: PreviousReport.Failure.self) { try PreviousReport(path: "/nowhere/report.xml") }
        #expect(missing?.diagnostic.id == "unreadable-report")
    }
}

struct PreviousRecordTests {
    private func report(_ record: [UInt8]) throws -> PreviousReport {
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write(record, to: directory.path + "/run.jsonl")
        return try PreviousReport(path: directory.path + "/run.jsonl")
    }

    @Test func theCasesAreThoseOfTheJUnitReport() throws {
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write(
            try RichRun.report { try JUnitReporter(path: $0) }, to: directory.path + "/report.xml")
        let junit = try PreviousReport(path: directory.path + "/report.xml").cases
        let cases = try report(try RecordSample.record()).cases
        #expect(cases.count == 13)
        for previous in cases where !previous.name.hasPrefix("place an order") {
            let other = try #require(
                junit.first { $0.name == previous.name && $0.className == previous.className }, "\(previous.name)")
            #expect(other.verdict == previous.verdict)
            #expect(other.file == previous.file)
            #expect(other.suiteName == previous.suiteName)
            #expect((other.duration ?? -1_000_000) / 1_000_000 == (previous.duration ?? -1_000_000) / 1_000_000)
        }
        #expect(cases.first { $0.name == "place an order" }?.verdict == .failed)
        #expect(cases.first { $0.name == "place an order" }?.duration == 231_000_000)
    }

    @Test func whatWasNotFinishedNeedsAnotherRun() throws {
        let cases = try report(try RecordSample.record(RichRun.killed)).cases
        #expect(cases.first { $0.name == "place an order" }?.verdict == .errored)
        #expect(cases.first { $0.name == "list the orders" }?.verdict == .passed)
    }

    @Test(arguments: [
        ("{\"event\":\"run\",\"schema\":9}\n", "run.jsonl:1:16: unsupported record format 9"),
        ("\n {\"event\"\n{}", "run.jsonl:2:10: "),
    ])
    func whatCannotBeRead(_ text: String, _ message: String) throws {
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write(Array(text.utf8), to: directory.path + "/run.jsonl")
        let error = #expect(throws: PreviousReport.Failure.self) {
            try PreviousReport(path: directory.path + "/run.jsonl")
        }
        #expect(error?.diagnostic.message.contains(message) == true, "\(String(describing: error))")
    }
}
