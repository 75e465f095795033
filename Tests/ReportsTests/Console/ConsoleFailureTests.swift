import Basics
import JSON
import RunModel
import Testing

@testable import Reports

/// Tests of the output for a single failed test.
struct ConsoleFailureTests: ConsoleTesting {
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
              tests/bookshop.yaml:10:15  status  expected 201, got 200 [status]
              tests/bookshop.yaml:12:18  json $.title [equals]
                 12 │         $.title: Dune
                    │                  ^^^^ expected "Dune" (string), got 42 (integer)
              tests/bookshop.yaml:13:19  json $.author [like]
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

    @Test func withoutStepsTheTimeIsTheTests() {
        let fixture = Fixture()
        var result = fixture.result("a", .failed, findings: [fixture.statusFinding])
        result.duration = 2_000_000_000
        let exchange = output(fixture.events([result])).results.prefix { $0 != "\n" }
        #expect(exchange.hasPrefix("✗ Bookshop › a ") && exchange.hasSuffix(" 2.00 s"))
        result.test.hasSteps = true
        let steps = output(fixture.events([result])).results.prefix { $0 != "\n" }
        #expect(steps.hasPrefix("✗ Bookshop › a ") && steps.hasSuffix(" 41 ms"))
    }

    @Test func aLineOfTheSuiteIsShownOnce() {
        let fixture = Fixture()
        var second = fixture.titleFinding
        second.wording = "expected a string\nwith two lines"
        second.details = ["because"]
        let events = fixture.events([fixture.result("a", .failed, findings: [fixture.titleFinding, second])])
        #expect(
            output(events).results.hasPrefix(
                #"""
                ✗ Bookshop › a                                                                       41 ms
                  tests/bookshop.yaml:12:18  json $.title [equals]
                     12 │         $.title: Dune
                        │                  ^^^^ expected "Dune" (string), got 42 (integer)
                  tests/bookshop.yaml:12:18  json $.title  expected a string
                      with two lines [equals]
                      because

                ✗ Bookshop  1 failed
                """#))
    }

    @Test func longMessagesGoBelowTheCarets() {
        let fixture = Fixture()
        var finding = fixture.titleFinding
        finding.wording = MessageText("expected " + String(repeating: "x", count: 55))
        var longer = finding
        longer.range = fixture.range("渡辺")
        longer.wording += MessageText(String(repeating: "y", count: 15))
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
        #expect(normal.contains("  status  expected 201, got 200 [status]\n  - not run: ship\n\n"))
        let verbose = output(fixture.events([result]), verbosity: 1).results
        #expect(verbose.hasPrefix("✓ Bookshop › order › log in  "))
        #expect(verbose.contains("\n✗ Bookshop › order › pay  "))
        #expect(verbose.contains("\n- Bookshop › order › ship  skipped (not paid)\n"))
    }

    @Test func redirectsBodiesAndWhatArrivedOfAResponse() {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.hops = [Exchange.Hop(status: 307, url: "http://h/old", location: "http://127.0.0.1:8080/books")]
        exchange.response?.body = Array("<html>\n<b>\u{1B}[2J</b>\n</html>\n".utf8)
        exchange.response?.headers = [HeaderField(name: "content-type", value: "text/html;charset=utf-8")]
        exchange.failure = Exchange.Failure(phase: .receive, kind: .init("closed"), message: "closed")
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
        exchange.failure = Exchange.Failure(phase: .redirect, kind: .init(rawValue: kind), message: "no")
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
        let text = output(fixture.events(results, extra: [.secretRegistered("a long secret")]), verbosity: 1).results
        let line = #"  ← 200 application/json 25 B          {"token":"***"}"#
        #expect(text.split(separator: "\n").count { $0 == line } == 2)
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
        let text = output(fixture.events([result], extra: [.secretRegistered("a long secret")])).results
        #expect(
            text.contains(
                """
                      limit = 10 (int)
                  with  bookID = 7, token = "***",
                        text = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…,
                        list = [1,"\\u001b[2J"]

                """), "\(text)")
    }

    @Test func aTestThatPassedOnlyWhenItWasTriedAgain() {
        let fixture = Fixture()
        let noAnswer = Finding(kind: .error, subject: "connect", type: .init("connectionRefused"), message: "refused")
        var flaky = fixture.result("add a book", .flaky)
        flaky.previousAttempts = [
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
        step.previousAttempts = [attempt, attempt]
        let result = TestResult(
            test: fixture.test("order", hasSteps: true), outcome: .failed, steps: [step], duration: 1_000_000)
        let text = output(fixture.events([result])).results
        #expect(text.contains("  attempt 1 of send  status: expected 201, got 200\n  attempt 2 of send  status:"))
    }
}
