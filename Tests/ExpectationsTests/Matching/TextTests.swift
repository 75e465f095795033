import CEL
import JSON
import RegularExpressions
import SuiteModel
import Testing

@testable import Expectations

@Suite("Text, types and lists") struct TextTests {
    @Test(arguments: [
        MatcherCase(.contains(.constant("un")), "Dune"),
        MatcherCase(.contains(.constant("x")), "Dune", #"expected to contain "x", got "Dune" (string)"#),
        MatcherCase(.contains(.constant("")), ""), MatcherCase(.contains(.constant(2)), "1,2,3"),
        MatcherCase(.contains(.constant(2)), [1, 2]),
        MatcherCase(.contains(.constant(["id": 1])), [["id": 1]]),
        MatcherCase(.contains(.constant(2)), ["2"], #"expected to contain 2, got ["2"] (array)"#),
        MatcherCase(.contains(.constant("id")), ["id": 7]),
        MatcherCase(.contains(.constant("no")), ["id": 7], #"expected to contain "no", got {"id":7} (object)"#),
        MatcherCase(.contains(.constant("4")), 42, #"expected to contain "4", got 42 (integer)"#),
        MatcherCase(.startsWith(.constant("Du")), "Dune"),
        MatcherCase(.startsWith(.constant("du")), "Dune", #"expected to start with "du", got "Dune" (string)"#),
        MatcherCase(.startsWith(.constant("4")), 42, #"expected to start with "4", got 42 (integer)"#),
        MatcherCase(.endsWith(.constant("ne")), "Dune"),
        MatcherCase(.endsWith(.constant("na")), "Dune", #"expected to end with "na", got "Dune" (string)"#),
        MatcherCase(.endsWith(.constant("2")), 42, #"expected to end with "2", got 42 (integer)"#),
    ])
    func parts(_ example: MatcherCase) { example.run() }

    @Test func regularExpressions() throws {
        let pattern = Matcher.Pattern.compiled(try RegularExpression(#"^/books/\d+$"#, dialect: .ecmaScript))
        MatcherCase(.matches(pattern), "/books/7").run()
        MatcherCase(.matches(pattern), "/books/x", #"expected to match /^/books/\d+$/, got "/books/x" (string)"#).run()
        MatcherCase(.matches(pattern), 7, #"expected to match /^/books/\d+$/, got 7 (integer)"#).run()
    }

    @Test(arguments: [
        MatcherCase(.type([.string]), "a"), MatcherCase(.type([.string]), 42, "expected a string, got 42 (integer)"),
        MatcherCase(.type([.number]), 1.5), MatcherCase(.type([.number]), "1", #"expected a number, got "1" (string)"#),
        MatcherCase(.type([.integer]), number("1.0")),
        MatcherCase(.type([.integer]), 1.5, "expected an integer, got 1.5 (number)"),
        MatcherCase(.type([.boolean]), false), MatcherCase(.type([.boolean]), 0, "expected a boolean, got 0 (integer)"),
        MatcherCase(.type([.array]), []), MatcherCase(.type([.array]), [:], "expected an array, got {} (object)"),
        MatcherCase(.type([.object]), [:]), MatcherCase(.type([.object]), [], "expected an object, got [] (array)"),
        MatcherCase(.type([.null]), .null), MatcherCase(.type([.null]), "", #"expected null, got "" (string)"#),
        MatcherCase(.type([.string, .null]), .null),
        MatcherCase(.type([.string, .null]), 42, "expected a string or null, got 42 (integer)"),
        MatcherCase(.type([.uuid]), "5f0c1e7a-9b1d-4c2e-8f3a-000000000000"),
        MatcherCase(.type([.uuid]), "5f0c", #"expected a UUID, got "5f0c" (string)"#),
        MatcherCase(.type([.uuid]), 5, "expected a UUID, got 5 (integer)"),
        MatcherCase(.type([.string]), nil, "expected a string, but there is no value"),
    ])
    func types(_ example: MatcherCase) { example.run() }

    @Test(arguments: [
        MatcherCase(.length(Fixture.matcher(.equals(.constant(4)))), "Dune"),
        MatcherCase(.length(Fixture.matcher(.equals(.constant(1)))), "👍"),
        MatcherCase(.length(Fixture.matcher(.equals(.constant(3)))), [1, 2], "expected length 3, got 2: [1,2]"),
        MatcherCase(.length(Fixture.matcher(.gt(.constant(1)))), ["a": 1], #"expected length > 1, got 1: {"a":1}"#),
        MatcherCase(.length(Fixture.matcher(.gt(.constant(1)))), 12, "expected length > 1, got 12 (integer)"),
        MatcherCase(.empty(true), []), MatcherCase(.empty(true), ""), MatcherCase(.empty(true), [:]),
        MatcherCase(.empty(true), [1], "expected something empty, got [1] (array)"),
        MatcherCase(.empty(false), [1]),
        MatcherCase(.empty(false), "", #"expected something that is not empty, got "" (string)"#),
        MatcherCase(.empty(true), .null, "expected something empty, got null"),
        MatcherCase(.each(Fixture.matcher(.gt(.constant(0)))), [1, 2]),
        MatcherCase(.each(Fixture.matcher(.exists(true))), []),
        MatcherCase(
            .each(Fixture.matcher(.gt(.constant(0)))), [1, 2, -1, "x"], "element [2]: expected > 0, got -1 (integer)",
            details: [#"element [3]: expected > 0, got "x" (string)"#]),
        MatcherCase(
            .each(Fixture.matcher(.like(.constant(["a": 1])))), [["a": 1], ["a": 2]],
            "element [1]: $[1].a: expected 1 (integer), got 2 (integer)"),
        MatcherCase(.each(Fixture.matcher(.gt(.constant(0)))), 5, "expected every element to be > 0, got 5 (integer)"),
        MatcherCase(.any(Fixture.matcher(.gt(.constant(5)))), [1, 6]),
        MatcherCase(
            .any(Fixture.matcher(.gt(.constant(5)))), [1, 2],
            "expected an element to be > 5, but none of 2 elements does",
            details: ["element [0]: expected > 5, got 1 (integer)", "element [1]: expected > 5, got 2 (integer)"]),
        MatcherCase(
            .any(Fixture.matcher(.gt(.constant(5)))), [], "expected an element to be > 5, but the list is empty"),
        MatcherCase(.any(Fixture.matcher(.gt(.constant(5)))), 7, "expected an element to be > 5, got 7 (integer)"),
        MatcherCase(.includes(Fixture.matcher(.startsWith(.constant("D")))), ["A", "D"]),
        MatcherCase(
            .includes(Fixture.matcher(.startsWith(.constant("D")))), ["A"],
            #"expected an element to start with "D", but none of 1 element does"#,
            details: [#"element [0]: expected to start with "D", got "A" (string)"#]),
        MatcherCase(
            .includes(Fixture.matcher(.startsWith(.constant("D")))), "D",
            #"expected an element to start with "D", got "D" (string)"#),
        MatcherCase(.none(Fixture.matcher(.gt(.constant(5)))), [1, 2]),
        MatcherCase(
            .none(Fixture.matcher(.gt(.constant(5)))), [1, 9],
            "expected no element to be > 5, but element [1] does: 9 (integer)"),
        MatcherCase(.none(Fixture.matcher(.gt(.constant(5)))), [:], "expected no element to be > 5, got {} (object)"),
        MatcherCase(.unique(true), [1, 2, "1"]),
        MatcherCase(
            .unique(true), ["a", "b", "a"], #"expected unique elements, but [0] and [2] are both "a" (string)"#),
        MatcherCase(
            .unique(true), [1, number("1.0")], "expected unique elements, but [0] and [1] are both 1.0 (integer)"),
        MatcherCase(.unique(false), [1, 1]),
        MatcherCase(.unique(false), [1, 2], "expected elements of which two are equal, got [1,2] (array)"),
        MatcherCase(.unique(true), "a", #"expected unique elements, got "a" (string)"#),
        MatcherCase(.sorted(.ascending), [1, 1, 2.5]), MatcherCase(.sorted(.descending), ["c", "b", "a"]),
        MatcherCase(.sorted(.ascending), []),
        MatcherCase(
            .sorted(.ascending), [1, 5, 2], "expected elements in ascending order, but [1] is 5 and [2] is 2"),
        MatcherCase(
            .sorted(.descending), ["a", "b"], #"expected elements in descending order, but [0] is "a" and [1] is "b""#),
        MatcherCase(
            .sorted(.ascending), [1, "a"],
            #"expected elements in ascending order, but [0] 1 (integer) and [1] "a" (string) have no order"#),
        MatcherCase(.sorted(.ascending), 5, "expected elements in ascending order, got 5 (integer)"),
    ])
    func collections(_ example: MatcherCase) { example.run() }

    @Test func allOperatorsThatDoNotHoldAreReported() {
        let matcher = Fixture.matcher(
            .type([.integer]), .startsWith(.constant("D")),
            .all([
                Fixture.matcher(.contains(.constant("u")), .contains(.constant("z"))),
                Fixture.matcher(.endsWith(.constant("e"))),
            ]))
        let mismatches = MatcherEvaluator(scope: CELVariables(), context: CELContext()).mismatches("Dune", matcher)
        #expect(mismatches.map(\.type) == ["type", "contains"])
        #expect(MatcherEvaluator(scope: CELVariables(), context: CELContext()).mismatches(nil, matcher).count == 1)
    }

    @Test func manyElementsAreCutOff() {
        let list = JSONValue.array((0..<20).map { .number(JSONNumber($0)) })
        let evaluator = MatcherEvaluator(scope: CELVariables(), context: CELContext())
        let each = evaluator.matches(list, Fixture.matcher(.each(Fixture.matcher(.gt(.constant(50))))))
        #expect(each?.details.count == 6)
        #expect(each?.details.last == "… and 14 more")
        let any = evaluator.matches(list, Fixture.matcher(.any(Fixture.matcher(.gt(.constant(50))))))
        #expect(any?.details.count == 6)
        #expect(any?.details.last == "… and 15 more")
    }
}
