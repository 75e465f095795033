import Basics
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports
@testable import RunRecord

struct MarkdownReporterTests {
    /// Returns the report for events.
    static func report(_ events: [RunEvent], limit: Int = MarkdownDocument.limit) -> String {
        var page = MarkdownPage(root: "/home/ada")
        for event in events { page.receive(event, sizes: BodySizes()) }
        return page.text(limit: limit)
    }

    private static let fixture = Fixture()

    @Test func theWholeReport() {
        let fixture = Self.fixture
        let report = Self.report(
            fixture.events([
                fixture.result(
                    "add a book", .failed, findings: [fixture.statusFinding, fixture.titleFinding],
                    exchange: Fixture.created),
                fixture.result("read it back", .blocked(by: "add a book"), position: 1, milliseconds: 0),
                fixture.result("on Sundays", .skipped(reason: ""), position: 2, milliseconds: 0),
                fixture.result("fine", .passed, position: 3, milliseconds: 1_234),
            ]))
        #expect(
            report == #"""
                # ❌ API tests: 1 failed, 1 blocked of 4 tests

                | Tests | Passed | Flaky | Failed | Errored | Skipped | Blocked | Requests | Time |
                | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                | 4 | 1 | 0 | 1 | 0 | 1 | 1 | 2 | 1.50 s |

                ## Failures

                <details>
                <summary>❌ <code>Bookshop › add a book</code> · 41 ms<br><code>status: expected 201, got 200 (and 1 more)</code></summary>

                `tests/bookshop.yaml:10`

                ```text
                tests/bookshop.yaml:10:15  status  expected 201, got 200 [status]
                tests/bookshop.yaml:12:18  json $.title [equals]
                   12 │         $.title: Dune
                      │                  ^^^^ expected "Dune" (string), got 42 (integer)
                ```

                ```text
                → POST http://127.0.0.1:8080/books   {"title":"Dune"}
                ← 200 application/json 24 B          {"id":7,"title":42}
                ```

                ```sh
                curl -X POST http://127.0.0.1:8080/books -H 'Accept: application/json' --json '{"title":"Dune"}'
                ```

                </details>

                ## Suites

                | | Suite | File | Tests | Time |
                | --- | --- | --- | --- | ---: |
                | ❌ | `Bookshop` | `tests/bookshop.yaml` | 1 passed, 1 failed, 1 skipped, 1 blocked | 1.20 s |

                ## Not run

                | Suite | Reason | Tests |
                | --- | --- | --- |
                | `Bookshop` | `blocked by "add a book"` | `read it back` |
                | `Bookshop` | `skipped` | `on Sundays` |

                ## Slowest

                | Test | Time |
                | --- | ---: |
                | `Bookshop › fine` | 1.23 s |
                | `Bookshop › add a book` | 41 ms |

                <sub>apitest <code>0.1.0</code>, seed 42, 1 suite</sub>

                """#)
    }

    @Test(arguments: [
        ([TestResult.Outcome.passed], "# ✅ API tests: 1 test passed"),
        ([.passed, .flaky], "# ✅ API tests: 2 tests passed, 1 only after a retry"),
        ([.passed, .failed], "# ❌ API tests: 1 failed of 2 tests"),
        ([.errored, .blocked(by: "x")], "# ❌ API tests: 1 error, 1 blocked of 2 tests"),
        ([.skipped(reason: "")], "# ⚪ API tests: no tests ran"),
    ])
    func titles(_ outcomes: [TestResult.Outcome], _ expected: String) {
        let results = outcomes.enumerated().map { Self.fixture.result("t\($0)", $1, position: $0) }
        #expect(Self.report(Self.fixture.events(results)).hasPrefix(expected + "\n"))
    }

    @Test func aDescriptionKeepsItsLines() {
        var result = Self.fixture.result("a", .failed, findings: [Self.fixture.statusFinding])
        result.test.annotations = Annotations(description: "One <b>.\n\nTwo.\n", owner: nil, properties: [])
        #expect(Self.report(Self.fixture.events([result])).contains("\n\n`One <b>.`<br>\n`Two.`\n\n"))
    }

    @Test func interruption() {
        let events = Self.fixture.events([Self.fixture.result("a", .passed)], extra: [.interrupted(nil)])
        #expect(Self.report(events).hasPrefix("# ⚠️ API tests: interrupted\n"))
        #expect(Self.report(Array(events.dropLast())).contains("The run was interrupted."))
        #expect(Self.report(Array(events.prefix(1))).hasPrefix("# ❌ API tests: incomplete\n"))
    }

    @Test("An outage is shown in full once, each cause at least once, and the rest is counted")
    func manyFailures() throws {
        let fixture = Self.fixture
        var results: [TestResult] = []
        for index in 0..<400 {
            results.append(
                fixture.result(
                    "down \(index)", .errored, position: index, findings: [fixture.refusedFinding],
                    exchange: Fixture.refused))
        }
        results.append(fixture.result("other", .failed, position: 400, findings: [fixture.statusFinding]))
        let report = Self.report(fixture.events(results))
        #expect(report.split(separator: "<details>").count == 3)
        #expect(report.contains("<code>Bookshop › other</code>"))
        #expect(report.contains("Not shown in full: 399 more failures."))
        #expect(
            report.contains("- 💥 `Bookshop › down 3` `tests/bookshop.yaml:7`: `connect: connection refused`\n"))
        #expect(report.utf8.count < MarkdownDocument.limit)
    }

    @Test("The report stays within its size limit", arguments: [2_000, 10_000, 60_000])
    func sizes(_ limit: Int) {
        var results: [TestResult] = []
        let long = String(repeating: "`|<@x> ", count: 3_000)
        for index in 0..<500 {
            var finding = Self.fixture.statusFinding
            finding.wording = "\(index) \(long)"
            finding.details = [MessageText(long), MessageText(long)]
            results.append(
                Self.fixture.result(
                    long + "\(index)", .failed, position: index, findings: [finding], exchange: Fixture.created))
        }
        for index in 500..<600 { results.append(Self.fixture.result(long, .flaky, position: index)) }
        for index in 600..<700 {
            results.append(Self.fixture.result("n", .skipped(reason: long + "\(index)"), position: index))
        }
        let notices = (0..<100).map {
            RunEvent.notice(RunNotice(.serveEnded, severity: .error, message: MessageText(long + "\($0)")))
        }
        let report = Self.report(Self.fixture.events(results, extra: limit > 10_000 ? notices : []), limit: limit)
        #expect(report.utf8.count <= limit)
        #expect(report.contains("Not shown in full: "))
    }

    @Test func notices() {
        let notice = RunNotice(
            .serveEnded, severity: .error, suite: 0, message: "the server ended", details: ["```\n::error::x\u{1B}[1m"])
        let report = Self.report(Self.fixture.events([], extra: [.notice(notice)]))
        #expect(
            report.contains(
                "## Notices\n\n**error**: `Bookshop`: `the server ended [serve-ended]`\n\n````text\n```\n::error::x\\x1B[1m\n````\n"
            ))
    }

    @Test func aFileIsWritten() throws {
        let directory = try TemporaryDirectory()
        let reporter = try MarkdownReporter(path: directory.path + "/a/report.md")
        for event in Self.fixture.events([Self.fixture.result("a", .passed)]) { reporter.receive(event) }
        try reporter.finish()
        let text = String(decoding: try TemporaryDirectory.read(directory.path + "/a/report.md"), as: UTF8.self)
        #expect(text.hasPrefix("# ✅ API tests: 1 test passed\n"))
        #expect(throws: ReportError.self) { try MarkdownReporter(path: directory.path) }
    }
}
