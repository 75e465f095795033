import JSON
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
              ← 200 application/json 24 B, HTTP/1.1
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

    /// A test that did not pass in a suite of many.
    private func many(
        _ count: Int, _ outcome: TestResult.Outcome, _ finding: Finding, _ exchange: (Int) -> Exchange
    ) -> [TestResult] {
        (0..<count).map {
            Fixture().result("t\($0)", outcome, position: $0, findings: [finding], exchange: exchange($0))
        }
    }

    @Test func errorsOfOneCauseAreShownOnce() {
        let fixture = Fixture()
        let results = many(500, .errored, fixture.refusedFinding) { _ in Fixture.refused }
        let text = output(fixture.events(results)).results
        let expected = """
            ✗ Bookshop › t0                                                                      41 ms
              tests/bookshop.yaml:7:12  connect
                  7 │       url: /books
                    │            ^^^^^^ connection refused
              → GET http://127.0.0.1:1/books/1
              ← no response
              curl http://127.0.0.1:1/books/1

            ✗ Bookshop  500 errored                                                             1.20 s

            ✗ 499 more tests did not pass for the same reason as "t0"
              connect: connection refused (127.0.0.1:1)
              t1, t2, t3, t4, t5, … 494 more

            ✗ 500 tests in 1 suite: 500 errored
              0 requests in 1.50 s, seed 42

            """
        #expect(text == expected)
        let verbose = output(fixture.events(results), verbosity: 1).results
        #expect(
            verbose.contains(
                "\n✗ Bookshop › t3  connect: connection refused (127.0.0.1:1)                           41 ms\n"))
        let quiet = output(fixture.events(results), verbosity: -1).results
        #expect(quiet.contains("✗ 499 more tests") && !quiet.contains("500 errored                "))
        let narrow = output(
            fixture.events(many(3, .errored, fixture.refusedFinding) { _ in Fixture.refused }), width: 40)
        #expect(narrow.results.contains("  connect: connection refused\n  (127.0.0.1:1)\n  t1, t2\n"))
    }

    @Test func suitesAreNamedWhereThereAreSeveral() {
        let suites = (0..<2).map { Fixture(path: "\($0).yaml", index: $0, name: "S\($0)") }
        let events = Fixture.events(
            suites.map { fixture in
                (
                    fixture,
                    [
                        fixture.result(
                            "t", .errored, findings: [fixture.refusedFinding], exchange: Fixture.refused)
                    ]
                )
            })
        #expect(
            output(events).results.contains(
                """
                ✗ 1 more test did not pass for the same reason as "S0 › t"
                  connect: connection refused (127.0.0.1:1)
                  S1 › t

                """))
    }

    @Test func answersOfAGatewayAreShownOnceWhateverWasExpected() {
        let fixture = Fixture()
        var results = many(9, .failed, fixture.statusFinding) { index in
            var exchange = Fixture.created
            exchange.response?.status = 503
            exchange.response?.body = Array("request \(index)".utf8)
            return exchange
        }
        results[4].steps[0].findings[0].message = "expected 404, got 503"
        let text = output(fixture.events(results)).results
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 1)
        #expect(
            text.contains(
                """
                ✗ 8 more tests did not pass for the same reason as "t0"
                  127.0.0.1:8080 answers with status 503
                  t1, t2, t3, t4, t5, … 3 more

                """))
    }

    @Test func equalAnswersThatAreWrongAreShownThreeTimes() {
        let fixture = Fixture()
        var results = many(9, .failed, fixture.statusFinding) { _ in Fixture.created }
        // Another body is another failure.
        results[5].steps[0].exchange?.response?.body = Array("{}".utf8)
        let text = output(fixture.events(results)).results
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 4)
        #expect(
            text.contains(
                """
                ✗ 5 more tests did not pass for the same reason as "t0"
                  status: expected 201, got 200
                  t3, t4, t6, t7, t8

                """))
    }

    @Test func testsThatDidNotPassAreListedAtTheEndOfALongOutput() {
        let fixture = Fixture()
        var results = many(40, .failed, fixture.titleFinding) { index in
            var exchange = Fixture.created
            exchange.response?.body = Array("\(index)".utf8)
            return exchange
        }
        results[1].steps[0].findings.append(fixture.statusFinding)
        let text = output(fixture.events(results)).results
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex(of: "did not pass:") ?? 0
        #expect(start > 100)
        #expect(
            lines[start...].prefix(3) == [
                "did not pass:",
                #"  tests/bookshop.yaml:4  Bookshop › t0  json $.title: expected "Dune" (string), got 42 (i…"#,
                #"  tests/bookshop.yaml:4  Bookshop › t1  json $.title: expected "Dune" (string), got 42 (i…"#,
            ])
        #expect(
            lines[(start + 31)...].prefix(3) == [
                "  … 10 more", "  again, one of these: apitest tests/bookshop.yaml:4", "",
            ])
        #expect(!output(fixture.events(Array(results.prefix(3)))).results.contains("did not pass:"))
        let sink = TextSink()
        let reporter = ConsoleReporter(
            options: ConsoleOptions(recordPath: "my report.xml"), output: sink.write, progress: { _ in })
        for event in fixture.events(results) { reporter.receive(event) }
        #expect(sink.text.contains("  again, all of these: the same command with --failed 'my report.xml'\n"))
    }

    @Test func slowTestsAreNamedWhereTheyStandOut() {
        let fixture = Fixture()
        var results = (0..<60).map { fixture.result("t\($0)", .passed, position: $0, milliseconds: 10) }
        results[3].duration = 4_000_000_000
        results[7].duration = 2_000_000_000
        results[9].duration = 900_000_000
        let expected = """
            slowest: 125 ms is the average
              4.00 s  Bookshop › t3  tests/bookshop.yaml:4
              2.00 s  Bookshop › t7  tests/bookshop.yaml:4


            """
        #expect(output(fixture.events(results)).results.contains(expected))
        #expect(output(fixture.events(results), verbosity: 1).results.contains("  900 ms  Bookshop › t9"))
        #expect(!output(fixture.events(results), verbosity: -1).results.contains("slowest"))
        #expect(!output(fixture.events(Array(results.prefix(49)))).results.contains("slowest"))
        let alike = (0..<60).map { fixture.result("t\($0)", .passed, position: $0, milliseconds: 3_000) }
        #expect(!output(fixture.events(alike)).results.contains("slowest"))
    }

    @Test func namesAreShownWithWhatTheyStoodFor() {
        let fixture = Fixture()
        var finding = fixture.titleFinding
        finding.details = ["row 2: id 404", "limit = 10 (int)"]
        var result = fixture.result("a", .failed, findings: [finding])
        result.variables = [
            UsedVariable(name: "bookID", value: 7), UsedVariable(name: "id", value: 404),
            UsedVariable(name: "limit", value: 10), UsedVariable(name: "token", value: "a long secret"),
            UsedVariable(name: "text", value: .string(String(repeating: "x", count: 9_000) + "\u{1B}")),
            UsedVariable(name: "list", value: [1, "\u{1B}[2J"]),
        ]
        let text = output(fixture.events([result], extra: [.secretLearned("a long secret")])).results
        #expect(
            text.contains(
                """
                      limit = 10 (int)
                  with  bookID = 7, token = "***",
                        text = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…,
                        list = [1,"\\u001b[2J"]

                """), "\(text)")
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
