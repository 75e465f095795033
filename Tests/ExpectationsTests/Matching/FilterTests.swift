import CEL
import Diagnostics
import JSON
import RegularExpressions
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("regex and as, and matchers in like and strictLike") struct FilterTests {
    private static func regex(_ pattern: String, _ operators: Matcher.Operator...) -> Matcher.Operator {
        .regex(
            .template(.constant(pattern), range: Fixture.range()),
            Matcher(operators.map { Matcher.Operation($0, range: Fixture.range()) }, range: Fixture.range()))
    }

    private static func converted(_ type: Capture.Conversion, _ operators: Matcher.Operator...) -> Matcher.Operator {
        .as(type, Matcher(operators.map { Matcher.Operation($0, range: Fixture.range()) }, range: Fixture.range()))
    }

    static let filters: [MatcherCase] = [
        MatcherCase(regex(#"/(\d+)$"#, .equal("7")), "/books/7"), MatcherCase(regex(#"\d+"#, .equal(7)), "no 7"),
        MatcherCase(regex(#"(\d+)"#, .gt(.constant(3))), "/books/7"), MatcherCase(regex("(a)|b"), "a"),
        MatcherCase(regex(#"(\d+)"#, converted(.integer, .gt(.constant(3)))), "/books/7"),
        MatcherCase(
            regex(#"/(\d+)$"#, converted(.integer, .gt(.constant(9)))), "/books/7",
            #"expected > 9, got 7 (integer); selected by //(\d+)$/ from "/books/7""#),
        MatcherCase(
            regex(#"/(\d+)$"#, .equal("8")), "/books/7",
            #"expected "8" (string), got "7" (string); selected by //(\d+)$/ from "/books/7""#),
        MatcherCase(
            regex(#"/(\d+)$"#, .equal("8")), "/about", #"//(\d+)$/ matches nothing in "/about""#),
        MatcherCase(
            regex("BOOKS/(.)", .equal("7")), "/books/7",
            #"/BOOKS/(.)/ matches nothing in "/books/7"; it matches if case is ignored"#),
        MatcherCase(
            regex("(a)|b", .equal("a")), "b", #"/(a)|b/ matches "b", but its first group captures nothing"#),
        MatcherCase(
            regex("a", .equal("a")), 5,
            #"expected to match /a/ and the selected text to be "a" (string), got 5 (integer), which is not a string"#),
        MatcherCase(
            regex("a", .equal("a")), nil,
            #"expected to match /a/ and the selected text to be "a" (string), got no value"#),
        MatcherCase(converted(.integer, .gt(.constant(3))), "7"), MatcherCase(converted(.string, .equal("7")), 7),
        MatcherCase(converted(.boolean), true),
        MatcherCase(converted(.number, .lt(.constant(3))), "7.5", "expected < 3, got 7.5 (number)"),
        MatcherCase(converted(.integer, .lt(.constant(3))), "x", #"cannot convert "x" (string) to an integer"#),
        MatcherCase(converted(.integer, .lt(.constant(3))), nil, "expected < 3 as an integer, got no value"),
    ]

    @Test(arguments: filters) func runFilters(_ example: MatcherCase) { example.run() }

    static let contraries: [MatcherCase] = [
        MatcherCase(.not(regex("a(.)", .equal("b"))), "ac"), MatcherCase(.not(regex("a(.)", .equal("b"))), "x"),
        MatcherCase(
            .not(regex("a(.)", .equal("b"))), "ab",
            #"expected not to match /a(.)/ and the selected text to be "b" (string), got "ab" (string)"#),
        MatcherCase(
            .not(converted(.integer, .gt(.constant(3)))), "7", #"expected not > 3 as an integer, got "7" (string)"#),
    ]

    @Test(arguments: contraries) func runContraries(_ example: MatcherCase) { example.run() }

    @Test("Every failed operator after a filter is reported") func severalOperators() {
        let matcher = Fixture.matcher(
            Self.regex(#"(\d+)"#, Self.converted(.integer, .gt(.constant(9)), .lt(.constant(1)))))
        let found = MatcherEvaluator(scope: CELVariables(), context: CELContext()).mismatches("no 7", matcher)
        #expect(found.count == 2)
        #expect(found.map(\.type.rawValue) == ["gt", "lt"])
    }

    // MARK: Matchers in objects

    private static func object(_ members: (String, PartialValue)...) -> PartialValue {
        .object(members.map { PartialValue.Member(name: .constant($0.0), value: $0.1) })
    }

    private static func match(_ operators: Matcher.Operator...) -> PartialValue {
        .matcher(Matcher(operators.map { Matcher.Operation($0, range: Fixture.range()) }, range: Fixture.range()))
    }

    private static let book = object(
        ("id", match(.type([.integer]))), ("title", .value(.constant("Dune"))),
        ("tags", .array([match(.startsWith(.constant("sci"))), .value(.constant("novel"))])))

    static let objects: [MatcherCase] = [
        MatcherCase(
            .partial(book, isStrict: false), ["id": 7, "title": "Dune", "tags": ["sci-fi", "novel"], "x": 1]),
        MatcherCase(.partial(book, isStrict: true), ["id": 7, "title": "Dune", "tags": ["sci-fi", "novel"]]),
        MatcherCase(
            .partial(book, isStrict: false), ["id": "7", "title": "Dune", "tags": ["sci-fi", "novel"]],
            #"$.id: expected an integer, got "7" (string)"#),
        MatcherCase(
            .partial(book, isStrict: false), ["title": "Emma", "tags": ["fantasy", "novel"]],
            "3 differences from the expected value",
            details: [
                #"$.title: expected "Dune" (string), got "Emma" (string)"#,
                "$.id: expected an integer, got no value",
                #"$.tags[0]: expected to start with "sci", got "fantasy" (string)"#,
            ]),
        MatcherCase(
            .partial(book, isStrict: true), ["id": 7, "title": "Dune", "tags": ["sci-fi", "novel"], "x": 1],
            "+ unexpected $.x: 1"),
        MatcherCase(
            .partial(book, isStrict: false), ["id": 7, "title": "Dune", "tags": []],
            "2 differences from the expected value",
            details: [#"- missing $.tags[0]: "<to start with \"sci\">""#, #"- missing $.tags[1]: "novel""#]),
        MatcherCase(
            .partial(object(("a", match(.exists(false)))), isStrict: false), ["b": 1]),
        MatcherCase(
            .partial(object(("a", match(.exists(false)))), isStrict: true), ["a": 1],
            "$.a: expected no value, got 1 (integer)"),
        MatcherCase(
            .partial(object(("a", match(.each(Fixture.matcher(.gt(.constant(0))))))), isStrict: false),
            ["a": [1, 0, -1]], "$.a: element [1]: expected > 0, got 0 (integer)",
            details: ["element [2]: expected > 0, got -1 (integer)"]),
        MatcherCase(
            .partial(object(("a", match(.type([.null])))), isStrict: false), 5,
            #"expected {"a":"<null>"} (object), got 5 (integer)"#),
        MatcherCase(.partial(match(.gt(.constant(1))), isStrict: false), 1, "$: expected > 1, got 1 (integer)"),
        MatcherCase(
            .not(.partial(object(("a", match(.gt(.constant(1))))), isStrict: false)), ["a": 2],
            #"expected anything but a value like {"a":"<> 1>"}, got {"a":2} (object)"#),
        MatcherCase(
            .not(.partial(object(("a", match(.gt(.constant(1))))), isStrict: true)), ["a": 2],
            #"expected anything but exactly the members of {"a":"<> 1>"}, got {"a":2} (object)"#),
    ]

    @Test(arguments: objects) func runObjects(_ example: MatcherCase) { example.run() }

    @Test("A matcher within an object whose operand fails is an error, with its location") func failingOperand() throws
    {
        let failing = Matcher(
            [Matcher.Operation(.equals(.template(try Fixture.template("1 / 0"))), range: Fixture.range(4))],
            range: Fixture.range(4))
        let matcher = Fixture.matcher(.partial(Self.object(("a", .matcher(failing))), isStrict: false))
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext()).matches(["a": 1], matcher)
        #expect(mismatch?.kind == .error)
        #expect(mismatch?.range.start.line == 1)
    }
}
