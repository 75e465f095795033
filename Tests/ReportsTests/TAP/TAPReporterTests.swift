import Basics
import Diagnostics
import Glibc
import JSON
import RunModel
import RunRecord
import TestSupport
import Testing

@testable import Output
@testable import Reports

struct TAPReporterTests {
    private func report(_ events: [RunEvent]) throws -> (file: TAPFile, text: String) {
        let bytes = try RichRun.report(events) { try TAPReporter(path: $0) }
        return (TAPFile(bytes), String(decoding: bytes, as: UTF8.self))
    }

    @Test func theWholeReport() throws {
        let fixture = Fixture()
        let events = fixture.events([
            fixture.result(
                "add a book", .failed, findings: [fixture.statusFinding, fixture.titleFinding],
                exchange: Fixture.created),
            fixture.result("read it back", .blocked(by: "add a book"), position: 1, milliseconds: 0),
            fixture.result("later", .skipped(reason: ""), position: 2, milliseconds: 0),
            fixture.result("fine", .passed, position: 3, milliseconds: 1_234),
        ])
        #expect(
            try report(events).text == #"""
                TAP version 14
                # apitest 0.1.0, seed 42
                not ok 1 - Bookshop › add a book
                  ---
                  message: "status: expected 201, got 200 (and 1 more)"
                  severity: "fail"
                  type: "status"
                  at:
                    file: "tests/bookshop.yaml"
                    line: 10
                    column: 15
                  account: |
                    tests/bookshop.yaml:10:15  status  expected 201, got 200 [status]
                    tests/bookshop.yaml:12:18  json $.title [equals]
                       12 │         $.title: Dune
                          │                  ^^^^ expected "Dune" (string), got 42 (integer)
                    → POST http://127.0.0.1:8080/books   {"title":"Dune"}
                    ← 200 application/json 24 B          {"id":7,"title":42}
                    curl -X POST http://127.0.0.1:8080/books -H 'Accept: application/json' --json '{"title":"Dune"}'
                  duration_ms: 41
                  ...
                ok 2 - Bookshop › read it back # SKIP blocked by "add a book", which did not pass
                ok 3 - Bookshop › later # SKIP
                ok 4 - Bookshop › fine
                  ---
                  duration_ms: 1234
                  ...
                1..4

                """#)
    }

    @Test func theRichRun() throws {
        let bytes = try RichRun.report { try TAPReporter(path: $0) }
        let file = TAPFile(bytes)
        #expect(file.problems == [])
        #expect(file.bailOut == nil)
        try GoldenFile.expect(bytes, named: "tap.tap")
    }

    @Test(arguments: [
        RichRun.hostile, "a # SKIP b", "a \\# TODO b", "\nnot ok 1", "# TODO", "\\", "ok 1\r\nBail out!",
        "  ---\n  ...",
        "", " ", "\u{85}\u{9B}31m", "\u{2028}x", "\u{FFFE}\u{FFFF}\u{FEFF}\u{1FFFE}", "  indented\tx", "😀 # skip",
        String(repeating: "é", count: 3_000),
        String(repeating: "#", count: 5_000),
    ])
    func hostileTexts(_ text: String) throws {
        let fixture = Fixture(name: text)
        var finding = Finding(
            subject: Finding.Subject(text), type: .init(text), message: MessageText(text), expected: .string(text),
            actual: .array([.string(text)]),
            details: [MessageText(text)])
        var exchange = Fixture.created
        exchange.response?.body = Array(text.utf8) + [0xFF, 0]
        exchange.request.url += text
        finding.range = fixture.range("201")
        let notice = RunNotice(.serveEnded, severity: .error, message: MessageText(text), details: [MessageText(text)])
        let results = [
            fixture.result(text, .failed, findings: [finding], exchange: exchange),
            fixture.result("b", .skipped(reason: text), position: 1),
            fixture.result("c", .blocked(by: text), position: 2),
        ]
        let (file, whole) = try report(fixture.events(results, extra: [.notice(notice)]))
        #expect(file.problems == [])
        #expect(file.points.count == 3)
        #expect(!whole.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
        let shown = DisplayWidth.printable(text)
        if text.utf8.count < 100 { #expect(file.points[0].description == "\(shown) › \(shown)") }
        guard case .object(let block)? = file.points[0].block else {
            Issue.record("expected a diagnostic block")
            return
        }
        if text.utf8.count < 100 { #expect(block["expected"] == .string(text)) }
        #expect(block["type"] != nil)
    }

    static let values: [(JSONValue, String)] = [
        (.null, "null"), (true, "true"), (42, "42"), (1.5, "1.5"), ("null", #""null""#), ("", #""""#),
        ([1, "a"], #""[1,\"a\"]""#), (["a": 1], #""{\"a\":1}""#),
    ]

    @Test(arguments: values)
    func typed(_ value: JSONValue, _ text: String) throws {
        let fixture = Fixture()
        let finding = Finding(subject: "json $", type: .init("equals"), message: "m", expected: value, actual: value)
        let whole = try report(fixture.events([fixture.result("a", .failed, findings: [finding])])).text
        #expect(whole.contains("\n  expected: \(text)\n  actual: \(text)\n"))
    }

    @Test func attempts() throws {
        let fixture = Fixture()
        var result = fixture.result("a", .flaky)
        result.steps[0].previousAttempts = [
            TestResult.StepAttempt(outcome: .failed, findings: [fixture.statusFinding]),
            TestResult.StepAttempt(outcome: .errored, findings: [fixture.refusedFinding]),
        ]
        #expect(
            try report(fixture.events([result])).text.contains(
                """
                ok 1 - Bookshop › a
                  ---
                  flaky: true
                  attempts:
                    - "attempt 1: status: expected 201, got 200"
                    - "attempt 2: connect: connection refused"
                  duration_ms: 41
                  ...

                """))
    }

    @Test func anInterruptedRunHasItsPlanAndBailsOut() throws {
        let fixture = Fixture()
        let events: [RunEvent] = [
            .runStarted(
                RunInfo(
                    suites: [fixture.suite], testCount: 3, seed: 1, jobs: 1, version: "0.1.0", startTime: 0)),
            .suiteStarted(fixture.suite), .testFinished(fixture.result("a", .passed)), .interrupted(nil),
            .testFinished(fixture.result("b", .skipped(reason: "interrupted while running"), position: 1)),
        ]
        let summary = RunSummary(counts: OutcomeCounts(), exchanges: 1, duration: 1, wasInterrupted: true)
        for (events, reason) in [
            (events + [.runFinished(summary)], " interrupted by a signal"), (events, " interrupted by a signal"),
            (Array(events.prefix(3)), " the run did not finish"),
        ] {
            let file = try report(events).file
            #expect(file.problems == [])
            #expect(file.bailOut == reason)
        }
        #expect(try report(RichRun.killed).file.problems == [])
    }

    @Test func aPipeIsWrittenToAsTheRunGoes() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let pipe = open(path, O_RDWR | O_NONBLOCK)
        defer { close(pipe) }
        func read() -> String {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(pipe, &buffer, buffer.count)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
        let reporter = try TAPReporter(path: path)
        let fixture = Fixture()
        let events = fixture.events([fixture.result("a", .failed, findings: [fixture.statusFinding])])
        reporter.receive(events[0])
        #expect(read() == "TAP version 14\n# apitest 0.1.0, seed 42\n")
        let later = fixture.result("b", .failed, position: 1, findings: [fixture.statusFinding])
        for result in [later] + events.compactMap(\.result) { reporter.receive(.testCompleted(result)) }
        // In the order in which tests end.
        let points = read()
        #expect(points.hasPrefix("not ok 1 - Bookshop › b\n"))
        #expect(points.contains("\nnot ok 2 - Bookshop › a\n"))
        for event in events[1...3] { reporter.receive(event) }
        #expect(read() == "")
        for event in events[4...] { reporter.receive(event) }
        try reporter.finish()
        #expect(read() == "1..2\n")
        #expect(TemporaryDirectory.names(in: directory.path) == ["pipe"])
    }

    @Test func manyTestsAreSpilled() throws {
        let fixture = Fixture()
        let reason = String(repeating: "x", count: 4_000)
        let results = (0..<1_000).map { fixture.result("\($0)", .skipped(reason: reason), position: $0) }
        let file = try report(fixture.events(results)).file
        #expect(file.problems == [])
        #expect(file.points.map(\.description) == results.map { "Bookshop › \($0.test.name)" })
    }

    @Test(arguments: [
        ("tap", "TAP version 14\n"), ("tap:version:14", "TAP version 14\n"), ("tap:version:13", "TAP version 13\n"),
    ])
    func versions(_ text: String, _ line: String) throws {
        let bytes = try RichRun.report([]) { path in
            try ReporterFactory.reporter(for: ReportRequest("\(text)=\(path)"))
        }
        #expect(String(decoding: bytes, as: UTF8.self) == line + "1..0\nBail out! the run did not finish\n")
    }

    @Test(arguments: ["version", "version:", "version:12", "version:x"])
    func versionsThatAreNone(_ option: String) throws {
        let request = try ReportRequest("tap:\(option)=/nowhere")
        #expect {
            try ReporterFactory.reporter(for: request)
        } throws: { error in
            (error as? ReportError)?.message
                == "report \"tap\": expected \"version:13\" or \"version:14\", got \"\(option)\""
        }
    }

    @Test func aPathThatCannotBeWritten() {
        #expect(throws: ReportError.self) { try TAPReporter(path: "/proc/none/report.tap") }
    }
}
