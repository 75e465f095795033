import Basics
import JSON
import RunModel
import Testing

@testable import Reports

/// Tests of the entire output for a run, a terminal and a verbosity.
struct ConsoleReporterTests: ConsoleTesting {
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

    @Test func whatWasInterruptedIsNotGreen() {
        let fixture = Fixture()
        let other = Fixture(path: "tests/other.yaml", index: 1, name: "Other")
        var events = Fixture.events([
            (
                fixture,
                [fixture.result("a", .passed), fixture.result("b", .skipped(reason: "interrupted while running"))]
            ), (other, [other.result("c", .passed), other.result("d", .skipped(reason: "not on CI"))]),
        ])
        #expect(output(events).results.contains("✓ Bookshop  1 passed, 1 skipped"))
        events.insert(.interrupted(nil), at: 2)
        guard case .runFinished(var summary) = events.removeLast() else { return #expect(Bool(false)) }
        summary.wasInterrupted = true
        summary.missing = MissingTests(notRun: 1, planned: 4, reasons: ["interrupted"])
        events.append(.runFinished(summary))
        events = events.map { event in
            guard case .suiteFinished(var summary) = event, summary.suite == 0 else { return event }
            summary.notRun = 1
            return .suiteFinished(summary)
        }
        let text = output(events).results
        #expect(text.contains("- Bookshop  1 passed, 1 skipped"))
        #expect(text.contains("✓ Other  1 passed, 1 skipped"))
        #expect(text.contains("- 3 of 4 tests in 2 suites: 2 passed, 2 skipped, interrupted\n"))
        #expect(text.contains("✗ apitest run › incomplete  interrupted; 1 of 4 tests did not run\n"))
    }

    @Test func longTextIsWrappedOnATerminalAlone() {
        let fixture = Fixture()
        var title = fixture.titleFinding
        title.wording = "expected to contain \"Dune Messiah\", got \"Dune\" (string)"
        title.details = [
            "the body differs in more than one place from what was expected",
            "line 1 of the body that was received", "  ^",
        ]
        var status = fixture.statusFinding
        status.wording = "expected one of 200, 201, 202 and 204, got 404"
        let events = fixture.events([fixture.result("a", .failed, findings: [title, status])])
        let lines = output(events, width: 40).results.split(separator: "\n")
        #expect(
            lines[1...14] == [
                "  tests/bookshop.yaml:12:18", "    json $.title [equals]", "     12 │         $.title: Dune",
                "        │                  ^^^^", "        │ expected to contain \"Dune",
                "        │ Messiah\", got \"Dune\" (string)",
                "          the body differs in more", "            than one place from what was",
                "            expected", "          line 1 of the body that was r…", "            ^",
                "  tests/bookshop.yaml:10:15  status", "      expected one of 200, 201, 202 and",
                "      204, got 404 [status]",
            ])
        let piped = output(events, width: nil).results
        for text in [title.message, title.details[0].text, status.message] { #expect(piped.contains(text)) }
    }

    @Test func aFailureHasTheDescriptionOfItsTest() {
        let fixture = Fixture()
        var result = fixture.result("a", .failed, findings: [fixture.statusFinding])
        result.test.annotations = Annotations(
            description: "Members see the price of the book club.\nSee \u{1B}SHOP-12.", owner: nil, properties: [])
        let lines = output(fixture.events([result]), width: 30).results.split(separator: "\n")
        #expect(
            lines[1...3] == [
                "  Members see the price of the", "  book club.", "  See \\x1BSHOP-12.",
            ])
        result.test.annotations = Annotations(
            description: (1...30).map { "line \($0)" }.joined(separator: "\n"), owner: nil, properties: [])
        let long = output(fixture.events([result]), width: nil).results
        #expect(long.contains("\n  line 10\n  …\n  tests/bookshop.yaml:10:15  status"))
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

    @Test func noticesGoToTheOtherStream() {
        let fixture = Fixture()
        let notice = RunNotice(
            .serveEnded, severity: .error, suite: 0, message: "the server \u{7}ended", details: ["a\nb"])
        let events = fixture.events([], extra: [.notice(notice), .interrupted(nil)])
        let output = output(events)
        #expect(
            output.notices
                == "error: Bookshop: the server \\x07ended [serve-ended]\n  a\n  b\ninterrupted\n")
        #expect(!output.results.contains("server"))
    }

    @Test func colorsAreOnlyAdded() {
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
}
