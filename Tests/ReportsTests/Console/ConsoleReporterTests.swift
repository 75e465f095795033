import SuiteModel
import Testing

@testable import Reports

struct ConsoleReporterTests {
    private func output(
        _ events: [RunEvent], verbosity: Int = 0, width: Int? = 90, color: Bool = false
    ) -> (results: String, notices: String) {
        let results = TextSink()
        let notices = TextSink()
        let options = ConsoleOptions(color: color, width: width, verbosity: verbosity)
        let fanOut = ReportFanOut([ConsoleReporter(options: options, output: results.write, progress: notices.write)])
        for event in events { fanOut.send(event) }
        #expect(fanOut.finish() == [])
        return (results.text, notices.text)
    }

    @Test func aRunThatPasses() {
        let fixture = Fixture()
        let events = fixture.events([fixture.result("a", .passed), fixture.result("b", .passed)])
        let all = """
            ✓ Bookshop  2 passed                                                                1.20 s

            ✓ 2 tests in 1 suite: 2 passed
              4 requests in 1.50 s, 2.7/s

            """
        #expect(output(events).results == all)
        #expect(output(events).notices == "")
        let quiet = """
            ✓ 2 tests in 1 suite: 2 passed
              4 requests in 1.50 s, 2.7/s

            """
        #expect(output(events, verbosity: -1).results == quiet)
    }

    @Test func aFailureShowsTheLineTheExchangeAndHowToRepeatIt() {
        let fixture = Fixture()
        let findings = [fixture.statusFinding, fixture.titleFinding, fixture.authorFinding]
        let events = fixture.events([
            fixture.result("add a book", .failed, findings: findings, exchange: Fixture.created),
            fixture.result("read it back", .blocked(by: "add a book"), position: 1),
            fixture.result("later", .skipped(reason: "not on CI"), position: 2),
            fixture.result("never", .skipped(reason: "not on CI"), position: 3),
        ])
        let expected = #"""
            ✗ Bookshop › add a book                                                              41 ms
              tests/bookshop.yaml:10:15  status  expected 201, got 200
              tests/bookshop.yaml:12:18  json $.title
                 12 │         $.title: Dune
                    │                  ^^^^ expected "Dune" (string), got 42 (integer)
              tests/bookshop.yaml:13:19  json $.author
                 13 │         $.author: 渡辺 "x"
                    │                   ^^^^^^^^ 2 differences
                      $.a: expected 1, got 2
                      - missing $.b: "x"
                      + unexpected $.c: 1
              → POST http://127.0.0.1:8080/books   {"title":"Dune"}
              ← 200 application/json 24 B          {"id":7,"title":42}
              curl -X POST http://127.0.0.1:8080/books -H 'Accept: application/json' --json '{"title":"Dune"}'

            ✗ Bookshop  1 failed, 2 skipped, 1 blocked                                          1.20 s
              - blocked by "add a book": read it back
              - skipped (not on CI): later, never

            ✗ 4 tests in 1 suite: 1 failed, 2 skipped, 1 blocked
              0 requests in 1.50 s, seed 42

            """#
        #expect(output(events).results == expected)
    }

    @Test func aLineOfTheSuiteIsShownOnce() {
        let fixture = Fixture()
        var second = fixture.titleFinding
        second.message = "expected a string\nwith two lines"
        second.details = ["because"]
        let events = fixture.events([fixture.result("a", .failed, findings: [fixture.titleFinding, second])])
        #expect(
            output(events).results.hasPrefix(
                #"""
                ✗ Bookshop › a                                                                       41 ms
                  tests/bookshop.yaml:12:18  json $.title
                     12 │         $.title: Dune
                        │                  ^^^^ expected "Dune" (string), got 42 (integer)
                  tests/bookshop.yaml:12:18  json $.title  expected a string
                      with two lines
                      because

                ✗ Bookshop  1 failed
                """#))
    }

    @Test func longMessagesGoBelowTheCarets() {
        let fixture = Fixture()
        var finding = fixture.titleFinding
        finding.message = "expected " + String(repeating: "x", count: 55)
        var longer = finding
        longer.range = fixture.range("渡辺")
        longer.message += String(repeating: "y", count: 15)
        let events = fixture.events([fixture.result("a", .failed, findings: [finding, longer])])
        let lines = output(events).results.split(separator: "\n")
        #expect(lines[3] == "        │                  ^^^^")
        #expect(lines[4] == "        │ \(finding.message)")
        #expect(lines[7] == "        │                   ^^^^")
        #expect(lines[8] == "        │ \(longer.message)")
    }

    @Test func stepsAreNamed() {
        let fixture = Fixture()
        let test = fixture.test("order", 0, hasSteps: true)
        let result = TestResult(
            test: test, outcome: .failed,
            steps: [
                fixture.step("log in", .passed, exchange: Fixture.created),
                fixture.step("pay", .failed, findings: [fixture.statusFinding]),
                fixture.step("ship", .skipped(reason: "not paid")),
            ])
        let normal = output(fixture.events([result])).results
        #expect(normal.hasPrefix("✗ Bookshop › order › pay  "))
        #expect(!normal.contains("log in"))
        #expect(normal.contains("  status  expected 201, got 200\n  - not run: ship\n\n"))
        let verbose = output(fixture.events([result]), verbosity: 1).results
        #expect(verbose.hasPrefix("✓ Bookshop › order › log in  "))
        #expect(verbose.contains("\n✗ Bookshop › order › pay  "))
        #expect(verbose.contains("\n- Bookshop › order › ship  skipped (not paid)\n"))
    }

    @Test func verboseShowsEveryTest() {
        let fixture = Fixture()
        let events = fixture.events([
            fixture.result("a", .passed, exchange: Fixture.created), fixture.result("b", .blocked(by: "x")),
            fixture.result("c", .skipped(reason: "")),
        ])
        let expected = """
            ✓ Bookshop › a                                                                       41 ms
              → POST http://127.0.0.1:8080/books   {"title":"Dune"}
              ← 200 application/json 24 B          {"id":7,"title":42}
            - Bookshop › b  blocked by "x"
            - Bookshop › c  skipped
            - Bookshop  1 passed, 1 skipped, 1 blocked                                          1.20 s

            - 3 tests in 1 suite: 1 passed, 1 skipped, 1 blocked
              2 requests in 1.50 s, 1.3/s, seed 42

            """
        #expect(output(events, verbosity: 1).results == expected)
        let more = """
              → POST http://127.0.0.1:8080/books
                Host: 127.0.0.1:8080
                User-Agent: apitest/0.1.0
                Accept: application/json
                Accept-Encoding: gzip, deflate
                Content-Type: application/json
                Content-Length: 16
                  {"title":"Dune"}
              ← 200 application/json 24 B
                Content-Type: application/json; charset=utf-8
                  {"id":7,"title":42}
                connect 0.4 ms, first byte 3.1 ms, transfer 0.1 ms, total 41 ms

            """
        #expect(output(events, verbosity: 2).results.contains(more))
    }

    @Test func redirectsBodiesAndWhatArrivedOfAResponse() {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.hops = [Exchange.Hop(status: 307, url: "http://h/old", location: "http://127.0.0.1:8080/books")]
        exchange.response?.body = Array("<html>\n<b>\u{1B}[2J</b>\n</html>\n".utf8)
        exchange.response?.headers = [HeaderField(name: "content-type", value: "text/html;charset=utf-8")]
        exchange.failure = Exchange.Failure(phase: "receive", kind: "closed", message: "closed")
        let text = output(fixture.events([fixture.result("a", .errored, exchange: exchange)]), verbosity: 1).results
        #expect(
            !text.contains("\u{1B}"))
        let lines = output(
            fixture.events([
                fixture.result("a", .errored, findings: [fixture.refusedFinding], exchange: exchange)
            ])
        ).results.split(separator: "\n")
        #expect(
            lines[4...] == [
                "  · 307 http://h/old → http://127.0.0.1:8080/books",
                #"  → POST http://127.0.0.1:8080/books   {"title":"Dune"}"#, "  ← 200 text/html 27 B, incomplete",
                "    <html>", #"    <b>\x1B[2J</b>"#, "    </html>",
                "  curl -X POST --location http://h/old -H 'Accept: application/json' --json '{\"title\":\"Dune\"}'",
                "✗ Bookshop  1 errored                                                               1.20 s",
                "✗ 1 test in 1 suite: 1 errored", "  0 requests in 1.50 s, seed 42",
            ])
    }

    @Test(arguments: ["tooManyRedirects", "redirectCycle", "invalidRedirect"])
    func aRedirectThatIsNotFollowedIsWhole(kind: String) {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response = Exchange.Response(status: 302)
        exchange.failure = Exchange.Failure(phase: "redirect", kind: kind, message: "no")
        let result = fixture.result("a", .errored, findings: [fixture.refusedFinding], exchange: exchange)
        #expect(output(fixture.events([result])).results.contains("\n  ← 302 0 B\n"))
    }

    @Test func sizesAreThoseBeforeMasking() {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response?.body = Array(#"{"token":"a long secret"}"#.utf8)
        let steps = fixture.test("order", 0, hasSteps: true)
        let results = [
            fixture.result("a", .passed, exchange: exchange),
            TestResult(
                test: steps, outcome: .failed,
                steps: [
                    fixture.step("log in", .passed),
                    fixture.step("pay", .failed, findings: [fixture.statusFinding], exchange: exchange),
                ]),
        ]
        let text = output(fixture.events(results, extra: [.secretLearned("a long secret")]), verbosity: 1).results
        let line = #"  ← 200 application/json 25 B          {"token":"***"}"#
        #expect(text.split(separator: "\n").count { $0 == line } == 2)
    }

    @Test func whatWasInterruptedIsNotGreen() {
        let fixture = Fixture()
        let other = Fixture(path: "tests/other.yaml", index: 1, name: "Other")
        var events = Fixture.events([
            (
                fixture,
                [fixture.result("a", .passed), fixture.result("b", .skipped(reason: "interrupted while it ran"))]
            ), (other, [other.result("c", .passed), other.result("d", .skipped(reason: "not on CI"))]),
        ])
        #expect(output(events).results.contains("✓ Bookshop  1 passed, 1 skipped"))
        events.insert(.interrupted, at: 2)
        guard case .runFinished(var summary) = events.removeLast() else { return #expect(Bool(false)) }
        summary.wasInterrupted = true
        events.append(.runFinished(summary))
        let text = output(events).results
        #expect(text.contains("- Bookshop  1 passed, 1 skipped"))
        #expect(text.contains("✓ Other  1 passed, 1 skipped"))
        #expect(text.contains("- 4 tests in 2 suites: 2 passed, 2 skipped, interrupted\n"))
    }

    @Test func longTextIsWrappedOnATerminalAlone() {
        let fixture = Fixture()
        var title = fixture.titleFinding
        title.message = "expected to contain \"Dune Messiah\", got \"Dune\" (string)"
        title.details = [
            "the body differs in more than one place from what was expected",
            "line 1 of the body that was received", "  ^",
        ]
        var status = fixture.statusFinding
        status.message = "expected one of 200, 201, 202 and 204, got 404"
        let events = fixture.events([fixture.result("a", .failed, findings: [title, status])])
        let lines = output(events, width: 40).results.split(separator: "\n")
        #expect(
            lines[1...13] == [
                "  tests/bookshop.yaml:12:18  json $.title", "     12 │         $.title: Dune",
                "        │                  ^^^^", "        │ expected to contain \"Dune",
                "        │ Messiah\", got \"Dune\" (string)",
                "          the body differs in more", "            than one place from what was",
                "            expected", "          line 1 of the body that was r…", "            ^",
                "  tests/bookshop.yaml:10:15  status", "      expected one of 200, 201, 202 and", "      204, got 404",
            ])
        let piped = output(events, width: nil).results
        for text in [title.message, title.details[0], status.message] { #expect(piped.contains(text)) }
    }

    @Test func longTitlesAreWrappedOnATerminalAlone() {
        let fixture = Fixture()
        let name = "a test with a name that says at length what it is for"
        let events = fixture.events([
            fixture.result(name, .passed), fixture.result(name, .blocked(by: "add a book"), position: 1),
        ])
        let lines = output(events, verbosity: 1, width: 40).results.split(separator: "\n")
        #expect(
            lines.prefix(6) == [
                "✓ Bookshop › a test with a", "  name that says at length",
                "  what it is for                   41 ms", "- Bookshop › a test with a", "  name that says at length",
                "  what it is for  blocked by \"add a boo…",
            ])
        #expect(output(events, verbosity: 1, width: nil).results.contains("✓ Bookshop › \(name)  "))
    }

    @Test func errorsOfOneCauseAreNotRepeated() {
        let fixture = Fixture()
        let results = (0..<30).map {
            fixture.result(
                "t\($0)", .errored, position: $0, findings: [fixture.refusedFinding], exchange: Fixture.refused)
        }
        let text = output(fixture.events(results)).results
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count { $0.hasPrefix("  curl ") } == 3)
        #expect(
            lines.contains(
                "✗ Bookshop › t3  connect  connection refused (127.0.0.1:1)                           41 ms"))
        #expect(!text.contains("› t20"))
        #expect(
            lines.contains("… and 10 more tests with the same error: connect  connection refused (127.0.0.1:1)"))
        let narrow = output(fixture.events(results), width: 60).results
        #expect(
            narrow.contains(
                "… and 10 more tests with the same error: connect\n  connection refused (127.0.0.1:1)\n"))
        #expect(text.contains("✗ 30 tests in 1 suite: 30 errored\n"))
    }

    @Test func manyTestsThatDidNotRunAreCounted() {
        let fixture = Fixture()
        let results = (0..<1_000).map { fixture.result("t\($0)", .skipped(reason: "interrupted"), position: $0) }
        #expect(
            output(fixture.events(results)).results.contains(
                "  - skipped (interrupted): t0, t1, t2, t3, t4, … 995 more\n"))
    }

    @Test func noticesGoToTheOtherStream() {
        let fixture = Fixture()
        let notice = RunNotice(severity: .error, suite: 0, message: "the server \u{7}ended", details: ["a\nb"])
        let events = fixture.events([], extra: [.notice(notice), .interrupted])
        let output = output(events)
        #expect(
            output.notices
                == "error: Bookshop: the server \\x07ended\n  a\n  b\ninterrupted; waiting for what is running\n")
        #expect(!output.results.contains("server"))
    }

    @Test func coloursAreOnlyAdded() {
        let fixture = Fixture()
        let events = fixture.events([
            fixture.result(
                "a", .failed, findings: [fixture.statusFinding, fixture.authorFinding], exchange: Fixture.created),
            fixture.result("b", .skipped(reason: "x"), position: 1),
        ])
        for verbosity in -1...2 {
            let colored = output(events, verbosity: verbosity, color: true).results
            #expect(colored.contains("\u{1B}[1;31m✗\u{1B}[0m "))
            var plain = ""
            var rest = colored[...]
            while let escape = rest.firstIndex(of: "\u{1B}") {
                plain += rest[..<escape]
                rest = rest[escape...].drop { $0 != "m" }.dropFirst()
            }
            #expect(plain + rest == output(events, verbosity: verbosity).results)
        }
    }

    @Test func narrowTerminals() {
        let fixture = Fixture()
        let events = fixture.events([fixture.result("a", .passed, exchange: Fixture.created)])
        let lines = output(events, verbosity: 1, width: 44).results.split(separator: "\n")
        #expect(
            lines[..<5] == [
                "✓ Bookshop › a                         41 ms", "  → POST http://127.0.0.1:8080/books",
                #"    {"title":"Dune"}"#, "  ← 200 application/json 24 B", #"    {"id":7,"title":42}"#,
            ])
        #expect(
            output(events, verbosity: 2, width: 44).results.contains(
                "\n    connect 0.4 ms, first byte 3.1 ms,\n    transfer 0.1 ms, total 41 ms\n"))
    }

    @Test func aTestThatPassedOnlyWhenItWasTriedAgain() {
        let fixture = Fixture()
        let noAnswer = Finding(kind: .error, subject: "connect", type: "connectionRefused", message: "refused")
        var flaky = fixture.result("add a book", .flaky)
        flaky.earlierAttempts = [
            TestResult.Attempt(
                outcome: .failed,
                steps: [
                    fixture.step("add a book", .failed, findings: [fixture.statusFinding, fixture.titleFinding])
                ]),
            TestResult.Attempt(outcome: .errored, steps: [fixture.step("add a book", .errored, findings: [noAnswer])]),
        ]
        let events = fixture.events([flaky, fixture.result("b", .passed)])
        #expect(
            output(events).results == """
                ~ Bookshop › add a book                                                              41 ms
                  attempt 1  status: expected 201, got 200 (and 1 more)
                  attempt 2  connect: refused
                ✓ Bookshop  1 passed, 1 flaky                                                       1.20 s

                ✓ 2 tests in 1 suite: 1 passed, 1 flaky
                  2 requests in 1.50 s, 1.3/s

                """)
        #expect(!output(events, verbosity: -1).results.contains("add a book"))
    }

    @Test func attemptsOfStepsAreShownBelowTheFailure() {
        let fixture = Fixture()
        let attempt = TestResult.StepAttempt(outcome: .failed, findings: [fixture.statusFinding])
        var step = fixture.step("send", .failed, findings: [fixture.statusFinding])
        step.earlierAttempts = [attempt, attempt]
        let result = TestResult(
            test: fixture.test("order", hasSteps: true), outcome: .failed, steps: [step], duration: 1_000_000)
        let text = output(fixture.events([result])).results
        #expect(text.contains("  attempt 1 of send  status: expected 201, got 200\n  attempt 2 of send  status:"))
    }
}
