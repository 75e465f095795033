import CEL
import JSON
import RegularExpressions
import SuiteModel
import Testing

@testable import Expectations

@Suite("contains, startsWith, endsWith, and matches") struct TextTests {
    static let parts: [MatcherCase] = [
        MatcherCase(.contains(.constant("un")), "Dune"), MatcherCase(.contains(.constant("")), ""),
        MatcherCase(.contains(.constant(2)), "1,2,3"), MatcherCase(.contains(.constant(true)), "is true"),
        MatcherCase(.contains(.constant("x")), "Dune", #"expected to contain "x", got "Dune" (string)"#),
        MatcherCase(
            .contains(.constant("dune")), "The Dune",
            #"expected to contain "dune", got "The Dune" (string); it occurs in a different case, at character 5"#),
        MatcherCase(
            .contains(.constant("a b")), "a\u{A0} b",
            #"expected to contain "a b", got "a\u00a0 b" (string); it occurs with different whitespace"#),
        MatcherCase(
            .contains(.constant("status: open")), "x\nstatus: closed",
            #"expected to contain "status: open", got "x\nstatus: closed" (string); "#
                + #"its beginning "status: …" is at line 2, column 1, followed by "…closed""#),
        MatcherCase(.contains(.constant(.null)), "null", #"expected to contain null, got "null" (string)"#),
        MatcherCase(
            .contains(.constant("4")), 42,
            #"expected to contain "4", got 42 (integer), which is not a string, array or object"#),
        MatcherCase(.contains(.constant(2)), [1, 2]), MatcherCase(.contains(.constant(["id": 1])), [["id": 1]]),
        MatcherCase(.contains(.constant(2)), [1, 3], "expected to contain 2, got [1,3] (array)"),
        MatcherCase(
            .contains(.constant(2)), ["2"], #"expected to contain 2, got ["2"] (array); element [0] is "2" (string)"#),
        MatcherCase(
            .contains(.constant("b")), ["a", "B "], #"expected to contain "b", got ["a","B "] (array)"#),
        MatcherCase(
            .contains(.constant("dune")), ["Emma", "Dune"],
            #"expected to contain "dune", got ["Emma","Dune"] (array); element [1] differs only in case"#),
        MatcherCase(
            .contains(.constant("novel")), ["novels", "sand"],
            #"expected to contain "novel", got ["novels","sand"] (array); element [0] is the nearest: "novels""#),
        MatcherCase(
            .contains(.constant(["id": 1, "n": 2])), [["id": 5, "n": 6], ["id": 1, "n": 3]],
            #"expected to contain {"id":1,"n":2}, got [{"id":5,"n":6},{"id":1,"n":3}] (array); "#
                + "element [1] is the nearest, with 1 difference",
            details: ["$[1].n: expected 2 (integer), got 3 (integer)"]),
        MatcherCase(.contains(.constant("id")), ["id": 7]),
        MatcherCase(.contains(.constant("no")), ["id": 7], #"expected to contain "no", got {"id":7} (object)"#),
        MatcherCase(
            .contains(.constant("ID")), ["id": 7],
            #"expected to contain "ID", got {"id":7} (object); the member "id" differs only in case"#),
    ]

    @Test(arguments: parts) func runParts(_ example: MatcherCase) { example.run() }

    static let ends: [MatcherCase] = [
        MatcherCase(.startsWith(.constant("Du")), "Dune"), MatcherCase(.startsWith(.constant("")), ""),
        MatcherCase(.startsWith(.constant("X")), "Dune", #"expected to start with "X", got "Dune" (string)"#),
        MatcherCase(
            .startsWith(.constant("du")), "Dune",
            #"expected to start with "du", got "Dune" (string); its beginning differs only in case"#),
        MatcherCase(
            .startsWith(.constant("Du")), " Dune",
            #"expected to start with "Du", got " Dune" (string); it is preceded by whitespace"#),
        MatcherCase(
            .startsWith(.constant("http://127.0.0.1:8080/books")), "http://127.0.0.1:8081/books/7",
            #"expected to start with "http://127.0.0.1:8080/books", got "http://127.0.0.1:8081/books/7" (string); "#
                + "its beginning first differs at character 21"),
        MatcherCase(
            .startsWith(.constant("4")), 42, #"expected to start with "4", got 42 (integer), which is not a string"#),
        MatcherCase(.endsWith(.constant("ne")), "Dune"), MatcherCase(.endsWith(.constant("")), ""),
        MatcherCase(.endsWith(.constant("na")), "Dune", #"expected to end with "na", got "Dune" (string)"#),
        MatcherCase(
            .endsWith(.constant("a long one")), "one", #"expected to end with "a long one", got "one" (string)"#),
        MatcherCase(
            .endsWith(.constant("NE")), "Dune",
            #"expected to end with "NE", got "Dune" (string); its end differs only in case"#),
        MatcherCase(
            .endsWith(.constant("ne")), "Dune\n",
            #"expected to end with "ne", got "Dune\n" (string); it is followed by whitespace"#),
        MatcherCase(
            .endsWith(.constant("2")), 42, #"expected to end with "2", got 42 (integer), which is not a string"#),
    ]

    @Test(arguments: ends) func runEnds(_ example: MatcherCase) { example.run() }

    @Test func ofALongTextTheEndIsShown() {
        let text = String(repeating: "x", count: 500) + "the end."
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext())
            .matches(.string(text), Fixture.matcher(.endsWith(.constant("the end"))))
        let tail = String(repeating: "x", count: 64) + "the end."
        #expect(
            mismatch?.message == "expected to end with \"the end\", got \"…\(tail)\" (string, 508 characters)")
    }

    static let patterns: [MatcherCase] = [
        MatcherCase(.matching(#"^/books/\d+$"#), "/books/7"), MatcherCase(.matching("^$"), ""),
        MatcherCase(.matching(#"^\d+$"#), "Dune", #"expected to match /^\d+$/, got "Dune" (string)"#),
        MatcherCase(
            .matching("^d"), "Dune", #"expected to match /^d/, got "Dune" (string); it matches if case is ignored"#),
        MatcherCase(
            .matching(#"^\d+$"#), "42\n",
            #"expected to match /^\d+$/, got "42\n" (string); it matches without its trailing whitespace"#),
        MatcherCase(
            .matching("^b$"), "a\nb",
            #"expected to match /^b$/, got "a\nb" (string); "#
                + "one of its lines matches, but ^ and $ match only at the beginning and end of the whole string"),
        MatcherCase(
            .matching("a.b"), "a\nb",
            #"expected to match /a.b/, got "a\nb" (string); it matches if . also matches line breaks, as [^] does"#
        ),
        MatcherCase(
            .matching(#"^\d+$"#), "42 pages",
            #"expected to match /^\d+$/, got "42 pages" (string); it matches as far as /^\d+/: "42""#),
        MatcherCase(
            .matching(#"^/books/\d+/(chapters|pages)/\d+$"#), "/books/7/chapter/3",
            #"expected to match /^/books/\d+/(chapters|pages)/\d+$/, got "/books/7/chapter/3" (string); "#
                + #"it matches as far as /^/books/\d+//: "/books/7/""#),
        MatcherCase(.matching("^a|^b"), "ca", #"expected to match /^a|^b/, got "ca" (string)"#),
        MatcherCase(.matching("7"), 7, "expected to match /7/, got 7 (integer), which is not a string"),
    ]

    @Test(arguments: patterns) func runPatterns(_ example: MatcherCase) { example.run() }

    @Test func compiledPatterns() throws {
        let pattern = Matcher.Pattern.compiled(try RegularExpression(#"^\d+$"#, dialect: .ecmaScript))
        MatcherCase(.matches(pattern), "7").run()
        MatcherCase(.matches(pattern), "x", #"expected to match /^\d+$/, got "x" (string)"#).run()
    }

    @Test("A malicious pattern finishes quickly on a long string") func linear() throws {
        let text = JSONValue.string(String(repeating: "a", count: 100_000) + "!")
        let evaluator = MatcherEvaluator(scope: CELVariables(), context: CELContext())
        #expect(evaluator.matches(text, Fixture.matcher(.matching("(a+)+$"))) != nil)
    }
}
