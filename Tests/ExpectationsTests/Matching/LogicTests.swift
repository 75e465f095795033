import CEL
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("not, exists, oneOf, all, and either") struct LogicTests {
    static let table: [MatcherCase] = [
        MatcherCase(.exists(true), 1), MatcherCase(.exists(true), .null),
        MatcherCase(.exists(true), nil, "expected a value, got no value"),
        MatcherCase(.exists(false), nil), MatcherCase(.exists(false), 42, "expected no value, got 42 (integer)"),
        MatcherCase(.exists(false), .null, "expected no value, got null"),
        MatcherCase(.oneOf([.constant("a"), .constant(2)]), 2),
        MatcherCase(.oneOf([.constant("a"), .constant(2)]), "b", #"expected one of "a", 2, got "b" (string)"#),
        MatcherCase(
            .oneOf([.constant("a"), .constant(2)]), "2",
            #"expected one of "a", 2, got "2" (string); the nearest is 2 (integer)"#),
        MatcherCase(
            .oneOf([.constant("Emma"), .constant("Dune")]), "DUNE",
            #"expected one of "Emma", "Dune", got "DUNE" (string); "Dune" differs only in case"#),
        MatcherCase(
            .oneOf([.constant("Emma"), .constant("Dune")]), "Dunes",
            #"expected one of "Emma", "Dune", got "Dunes" (string); the nearest is "Dune" (string)"#),
        MatcherCase(
            .oneOf([.constant(["a": 1, "b": 2]), .constant(["a": 3, "b": 4])]), ["a": 3, "b": 5],
            #"expected one of {"a":1,"b":2}, {"a":3,"b":4}, got {"a":3,"b":5} (object); "#
                + #"the nearest is {"a":3,"b":4}, with 1 difference"#,
            details: ["$.b: expected 4 (integer), got 5 (integer)"]),
        MatcherCase(.all([Fixture.matcher(.gt(.constant(1))), Fixture.matcher(.lt(.constant(9)))]), 5),
        MatcherCase(
            .all([Fixture.matcher(.gt(.constant(1))), Fixture.matcher(.lt(.constant(9)))]), 9,
            "expected < 9, got 9 (integer)"),
        MatcherCase(.all([Fixture.matcher(.exists(false)), Fixture.matcher(.not(.exists(true)))]), nil),
        MatcherCase(.either([Fixture.matcher(.equal("a")), Fixture.matcher(.gt(.constant(7)))]), 8),
        MatcherCase(
            .either([Fixture.matcher(.equal("a")), Fixture.matcher(.gt(.constant(7)))]), 5,
            "expected one of 2 alternatives to match, got 5 (integer)",
            details: [#"1. expected "a" (string), got 5 (integer)"#, "2. expected > 7, got 5 (integer)"]),
        MatcherCase(
            .either([
                Fixture.matcher(.like(.constant(["a": 1, "b": 2]))), Fixture.matcher(.type([.string])),
            ]), ["a": 2, "b": 3], #"expected one of 2 alternatives to match, got {"a":2,"b":3} (object)"#,
            details: [
                "1. 2 differences from the expected value", "   $.a: expected 1 (integer), got 2 (integer)",
                "   $.b: expected 2 (integer), got 3 (integer)", #"2. expected a string, got {"a":2,"b":3} (object)"#,
            ]),
        MatcherCase(.either([Fixture.matcher(.exists(false)), Fixture.matcher(.equal(1))]), nil),
        MatcherCase(
            .either([Fixture.matcher(.equal("a")), Fixture.matcher(.equal(1))]), nil,
            #"expected "a" (string) or 1 (integer), got no value"#),
    ]

    @Test(arguments: table) func runLogic(_ example: MatcherCase) { example.run() }

    static let contraries: [MatcherCase] = [
        MatcherCase(.not(.equal("a")), "b"),
        MatcherCase(.not(.equal("a")), "a", #"expected anything but "a" (string)"#),
        MatcherCase(.not(.equal("a")), nil, #"expected anything but "a" (string), got no value"#),
        MatcherCase(.not(.exists(true)), nil),
        MatcherCase(.not(.exists(true)), 7, "expected no value, got 7 (integer)"),
        MatcherCase(.not(.exists(false)), nil, "expected a value, got no value"),
        MatcherCase(.not(.type([.string, .null])), .null, "expected anything but a string or null, got null"),
        MatcherCase(.not(.contains(.constant("x"))), "axb", #"expected not to contain "x", got "axb" (string)"#),
        MatcherCase(.not(.contains(.constant(2))), [1, 2], "expected not to contain 2, got [1,2] (array)"),
        MatcherCase(.not(.startsWith(.constant("D"))), "Dune", #"expected not to start with "D", got "Dune" (string)"#),
        MatcherCase(.not(.endsWith(.constant("e"))), "Dune", #"expected not to end with "e", got "Dune" (string)"#),
        MatcherCase(
            .not(.matching(#"\d+"#)), "a 42 b",
            #"expected not to match /\d+/, got "a 42 b" (string); "42" at character 3 matches"#),
        MatcherCase(.not(.matching("^a$")), "a", #"expected not to match /^a$/, got "a" (string)"#),
        MatcherCase(
            .not(.oneOf([.constant(1), .constant(2)])), 2, "expected none of 1, 2, got 2 (integer)"),
        MatcherCase(.not(.gt(.constant(5))), 5), MatcherCase(.not(.gt(.constant(5))), "x"),
        MatcherCase(.not(.gt(.constant(5))), 7, "expected not > 5, got 7 (integer)"),
        MatcherCase(.not(.gte(.constant(5))), 7, "expected not ≥ 5, got 7 (integer)"),
        MatcherCase(.not(.lt(.constant(5))), 3, "expected not < 5, got 3 (integer)"),
        MatcherCase(.not(.lte(.constant(5))), 3, "expected not ≤ 5, got 3 (integer)"),
        MatcherCase(
            .not(.between(.constant(1), .constant(5))), 3, "expected not between 1 and 5, got 3 (integer)"),
        MatcherCase(
            .not(.closeTo(value: .constant(1), within: .constant(0.5))), 1.5,
            "expected anything but 1 ± 0.5, got 1.5 (number)"),
        MatcherCase(
            .not(.before(.constant("2026-01-01"))), "2025-01-01",
            #"expected not before "2026-01-01", got "2025-01-01" (string)"#),
        MatcherCase(
            .not(.after(.constant("2026-01-01"))), "2027-01-01",
            #"expected not after "2026-01-01", got "2027-01-01" (string)"#),
        MatcherCase(
            .not(.within(of: .constant("2026-01-01"), amount: 60_000_000_000)), "2026-01-01T00:00:30Z",
            #"expected not within 1 min of "2026-01-01", got "2026-01-01T00:00:30Z" (string)"#),
        MatcherCase(
            .not(.length(Fixture.matcher(.equal(2)))), "ab", #"expected a length other than 2, got "ab" (string)"#),
        MatcherCase(
            .not(.length(Fixture.matcher(.gt(.constant(1))))), "ab", #"expected length not > 1, got "ab" (string)"#),
        MatcherCase(.not(.empty(true)), [], "expected a non-empty value, got [] (array)"),
        MatcherCase(.not(.empty(false)), "a", #"expected an empty value, got "a" (string)"#),
        MatcherCase(
            .not(.each(Fixture.matcher(.gt(.constant(0))))), [1, 2],
            "expected not every element to be > 0, got [1,2] (array)"),
        MatcherCase(
            .not(.any(Fixture.matcher(.gt(.constant(1))))), [1, 2],
            "expected no element to be > 1, but element [1] is: 2 (integer)"),
        MatcherCase(
            .not(.includes(Fixture.matcher(.contains(.constant("x"))))), ["ax"],
            #"expected no element to contain "x", but element [0] does: "ax" (string)"#),
        MatcherCase(
            .not(.none(Fixture.matcher(.gt(.constant(5))))), [1, 2],
            "expected an element to be > 5, got [1,2] (array)"),
        MatcherCase(.not(.unique(true)), [1, 2], "expected at least two equal elements, got [1,2] (array)"),
        MatcherCase(.not(.unique(false)), [1, 1], "expected unique elements, got [1,1] (array)"),
        MatcherCase(
            .not(.sorted(.ascending)), [1, 2], "expected elements not in ascending order, got [1,2] (array)"),
        MatcherCase(
            .not(.like(.constant(["a": 1]))), ["a": 1, "b": 2],
            #"expected anything but a value like {"a":1}, got {"a":1,"b":2} (object)"#),
        MatcherCase(
            .not(.strictLike(.constant(["a": 1]))), ["a": 1],
            #"expected anything but exactly the members of {"a":1}, got {"a":1} (object)"#),
        MatcherCase(.not(.not(.equal(1))), 2, "expected 1 (integer), got 2 (integer)"),
        MatcherCase(
            .not(.all([Fixture.matcher(.gt(.constant(1))), Fixture.matcher(.lt(.constant(9)))])), 5,
            "expected anything but > 1 and < 9, got 5 (integer)"),
        MatcherCase(
            .not(.either([Fixture.matcher(.equal(1)), Fixture.matcher(.equal(2))])), 2,
            "expected neither 1 (integer) nor 2 (integer), got 2 (integer)"),
        MatcherCase(
            .not(Fixture.matcher(.type([.string]), .contains(.constant("x")))), "x",
            #"expected not to be a string and to contain "x", got "x" (string)"#),
    ]

    @Test("The negation of each operator reads well", arguments: contraries) func runContraries(_ example: MatcherCase)
    {
        example.run()
    }

    @Test func whatMustNotBeInALongTextIsFound() {
        let text = String(repeating: "line\n", count: 40) + "an error here"
        let evaluator = MatcherEvaluator(scope: CELVariables(), context: CELContext())
        let mismatch = evaluator.matches(.string(text), Fixture.matcher(.not(.contains(.constant("error")))))
        #expect(mismatch?.message.hasSuffix("(string, 213 characters); it is at line 41, column 4") == true)
    }

    @Test func allOperatorsThatDoNotHoldAreReported() {
        let matcher = Fixture.matcher(
            .type([.integer]), .startsWith(.constant("D")),
            .all([
                Fixture.matcher(.contains(.constant("u")), .contains(.constant("z"))),
                Fixture.matcher(.endsWith(.constant("e"))),
            ]))
        let evaluator = MatcherEvaluator(scope: CELVariables(), context: CELContext())
        #expect(evaluator.mismatches("Dune", matcher).map(\.type.rawValue) == ["type", "contains"])
        #expect(evaluator.mismatches(nil, matcher).count == 1)
    }
}
