import Basics
import Diagnostics
import JSON
import RunModel
import Testing

@testable import Output
@testable import Reports

/// Tests of the output for many tests: shown once, counted, or listed at the end.
struct ConsoleManyTests: ConsoleTesting {
    /// Returns failed tests, each with its own location, in a suite of many tests.
    private func many(
        _ count: Int, _ outcome: TestResult.Outcome, _ finding: Finding, _ exchange: (Int) -> Exchange
    ) -> [TestResult] {
        (0..<count).map {
            var result = Fixture().result("t\($0)", outcome, position: $0, findings: [finding], exchange: exchange($0))
            let location = result.test.range
            result.test.range = SourceRange(
                file: location.file,
                start: SourcePosition(line: Int(location.start.line), column: Int(location.start.column) + $0),
                end: location.end)
            let step = SourcePosition(line: 20 + $0, column: 1)
            for index in result.steps.indices {
                result.steps[index].range = SourceRange(file: location.file, start: step, end: step)
            }
            return result
        }
    }

    /// Returns the rows of one test, with a different response in each.
    private func rows(_ count: Int, _ outcome: TestResult.Outcome, _ findings: (Int) -> [Finding]) -> [TestResult] {
        let fixture = Fixture()
        return (0..<count).map { index in
            var exchange = Fixture.created
            exchange.response?.body = Array("{ \"id\": \(index), \"title\": 42 }".utf8)
            var result = fixture.result(
                "t\(index)", outcome, position: index, findings: findings(index), exchange: exchange)
            // Each row has its own location.
            let row = SourcePosition(line: 3, column: 1 + index)
            result.test.range = SourceRange(file: fixture.file, start: row, end: row)
            return result
        }
    }

    @Test func rowsOfATestThatFailAtTheSameExpectationsAreShownThreeTimes() {
        let fixture = Fixture()
        let results = rows(2_000, .failed) { index in
            var findings = [fixture.statusFinding, fixture.titleFinding]
            // The row is not part of the failure's cause.
            findings[0].details = ["row \(index + 1)"]
            return findings
        }
        let text = output(fixture.events(results), width: nil).results
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 3)
        let line = "  tests/bookshop.yaml:10:15  status: expected 201, got 200 (and 1 more)"
        for name in ["t3", "t1999"] {
            #expect(text.split(separator: "\n").count { $0.hasPrefix("✗ Bookshop › \(name)\(line)") } == 1)
        }
        #expect(text.split(separator: "\n").count { $0.hasPrefix("✗ Bookshop › t") } == 2_000)
        #expect(!text.contains("for the same reason"))
        let verbose = output(fixture.events(results), verbosity: 1).results
        #expect(verbose.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 2_000)
    }

    @Test func aFailureInALineHasItsReasonOnANarrowTerminalToo() {
        let fixture = Fixture()
        let events = fixture.events(rows(5, .failed) { _ in [fixture.titleFinding] })
        let narrow = output(events, width: 50).results
        let reason = "json $.title: expected \"Dune\" (string), got 42 (integer)"
        let cut = TextFitting.cut("tests/bookshop.yaml:12:18  " + reason, to: 48)
        #expect(narrow.contains("✗ Bookshop › t4                              41 ms\n  \(cut)\n"), "\(narrow)")
        let wide = output(events, width: 120).results
        #expect(wide.contains("✗ Bookshop › t4  tests/bookshop.yaml:12:18  json $.title: "))
    }

    @Test func rowsThatFailAtTheSameExpectationAreOneCauseWhateverTheValues() {
        let fixture = Fixture()
        let results = rows(12, .failed) { index in
            var finding = fixture.statusFinding
            finding.wording = "expected \(index), got 204"
            return [finding]
        }
        let text = output(fixture.events(results), width: nil).results
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 3)
        #expect(text.contains("✗ Bookshop › t11  tests/bookshop.yaml:10:15  status: expected 11, got 204 "))
    }

    @Test func rowsThatFailAtOtherExpectationsAreOtherFailures() {
        let fixture = Fixture()
        let results = rows(12, .failed) { index in
            // Of three kinds: a different expectation, an additional one, and neither.
            let finding = fixture.statusFinding
            return index % 3 == 1
                ? [fixture.titleFinding] : index % 3 == 2 ? [finding, fixture.titleFinding] : [finding]
        }
        let text = output(fixture.events(results)).results
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 9)
        #expect(text.split(separator: "\n").count { $0.hasPrefix("✗ Bookshop › t") } == 12)
    }

    @Test func atMostFiftyFailuresAreShownWhole() {
        let results = many(80, .failed, Fixture().statusFinding) { _ in Fixture.created }.enumerated().map {
            var result = $1
            result.steps[0].findings[0].wording = "expected \($0), got 200"
            return result
        }
        let events = Fixture().events(results)
        let text = output(events).results
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 50)
        #expect(text.contains("\n✗ Bookshop › t79  tests/bookshop.yaml:10:15  status: expected 79, got 200  "))
        let verbose = output(events, verbosity: 1).results
        #expect(verbose.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 80)
    }

    @Test func rowsOfATestWhoseExpressionFailsAreShownThreeTimes() {
        let fixture = Fixture()
        let results = rows(9, .errored) { _ in
            [
                Finding(
                    kind: .error, subject: "capture bookID", type: .expression, message: "no such key: title",
                    range: fixture.range("$.title"))
            ]
        }
        let text = output(fixture.events(results)).results
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 3)
        #expect(text.split(separator: "\n").count { $0.contains("  capture bookID: no such key: title") } == 6)
    }

    @Test func errorsOfOneCauseAreShownOnce() {
        let fixture = Fixture()
        let results = many(500, .errored, fixture.refusedFinding) { _ in Fixture.refused }
        let text = output(fixture.events(results)).results
        let expected = """
            ✗ Bookshop › t0                                                                      41 ms
              tests/bookshop.yaml:7:12  connect [connectionRefused]
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
                "\n✗ Bookshop › t3  tests/bookshop.yaml:7:12  connect: connection refused"))
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
        results[4].steps[0].findings[0].wording = "expected 404, got 503"
        let text = output(fixture.events(results)).results
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 1)
        #expect(
            text.contains(
                """
                ✗ 8 more tests did not pass for the same reason as "t0"
                  127.0.0.1:8080 responds with status 503
                  t1, t2, t3, t4, t5, … 3 more

                """))
    }

    @Test func equalAnswersThatAreWrongAreShownThreeTimes() {
        let fixture = Fixture()
        var results = many(9, .failed, fixture.statusFinding) { _ in Fixture.created }
        // One more finding makes it a different failure.
        results[5].steps[0].findings.append(fixture.titleFinding)
        let text = output(fixture.events(results)).results
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  curl ") } == 4)
        #expect(text.split(separator: "\n").count { $0.contains("  status: expected 201, got 200 ") } == 5)
    }

    @Test func testsThatDidNotPassAreListedAtTheEndOfALongOutput() {
        let fixture = Fixture()
        var results = many(40, .failed, fixture.titleFinding) { index in
            var exchange = Fixture.created
            exchange.response?.body = Array("\(index)".utf8)
            return exchange
        }
        for index in results.indices { results[index].steps[0].findings[0].wording += " at \(index)" }
        results[1].steps[0].findings.append(fixture.statusFinding)
        let text = output(fixture.events(results)).results
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex(of: "failures:") ?? 0
        #expect(start > 100)
        #expect(
            lines[start...].prefix(3) == [
                "failures:",
                #"  tests/bookshop.yaml:4  Bookshop › t0  json $.title: expected "Dune" (string), got 42 (i…"#,
                #"  tests/bookshop.yaml:4  Bookshop › t1  json $.title: expected "Dune" (string), got 42 (i…"#,
            ])
        #expect(
            lines[(start + 31)...].prefix(3) == [
                "  … 10 more", "  rerun one of them: apitest tests/bookshop.yaml:4", "",
            ])
        #expect(!output(fixture.events(Array(results.prefix(3)))).results.contains("failures:"))
        let sink = TextSink()
        let reporter = ConsoleReporter(
            options: ConsoleOptions(recordPath: "my report.xml"), output: sink.write, progress: { _ in })
        for event in fixture.events(results) {
            if case .testFinished(let result) = event { reporter.receive(.testCompleted(result)) }
            reporter.receive(event)
        }
        #expect(sink.text.contains("  rerun all of them: the same command with --failed 'my report.xml'\n"))
    }

    @Test func slowTestsAreNamedWhereTheyStandOut() {
        let fixture = Fixture()
        var results = (0..<60).map { fixture.result("t\($0)", .passed, position: $0, milliseconds: 10) }
        results[3].duration = 4_000_000_000
        results[7].duration = 2_000_000_000
        results[9].duration = 900_000_000
        let expected = """
            slowest: average 125 ms
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

    @Test func manyTestsThatDidNotRunAreCounted() {
        let fixture = Fixture()
        let results = (0..<1_000).map { fixture.result("t\($0)", .skipped(reason: "interrupted"), position: $0) }
        #expect(
            output(fixture.events(results)).results.contains(
                "  - skipped (interrupted): t0, t1, t2, t3, t4, … 995 more\n"))
    }
}
