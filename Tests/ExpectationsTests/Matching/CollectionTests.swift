import Basics
import CEL
import JSON
import SuiteModel
import Testing

@testable import Expectations

@Suite("length, empty, and the array operators") struct CollectionTests {
    private static let positive = Fixture.matcher(.gt(.constant(0)))
    private static let large = Fixture.matcher(.gt(.constant(5)))
    private static let startsWithD = Fixture.matcher(.startsWith(.constant("D")))

    static let sizes: [MatcherCase] = [
        MatcherCase(.length(Fixture.matcher(.equal(4))), "Dune"), MatcherCase(.length(Fixture.matcher(.equal(1))), "👍"),
        MatcherCase(.length(Fixture.matcher(.equal(2))), "e\u{301}"),
        MatcherCase(.length(Fixture.matcher(.equal(5))), "Dune", #"expected length 5, got 4: "Dune""#),
        MatcherCase(.length(Fixture.matcher(.equal(3))), [1, 2], "expected length 3, got 2: [1,2]"),
        MatcherCase(.length(Fixture.matcher(.gt(.constant(1)))), ["a": 1], #"expected length > 1, got 1: {"a":1}"#),
        MatcherCase(
            .length(Fixture.matcher(.gt(.constant(1)), .lt(.constant(3)))), [1, 2, 3],
            "expected length > 1 and < 3, got 3: [1,2,3]"),
        MatcherCase(
            .length(Fixture.matcher(.equal(2))), 12, "expected length 2, got 12 (integer), which has no length"),
        MatcherCase(.length(Fixture.matcher(.equal(0))), .null, "expected length 0, got null, which has no length"),
        MatcherCase(.empty(true), []), MatcherCase(.empty(true), ""), MatcherCase(.empty(true), [:]),
        MatcherCase(.empty(true), [1], "expected an empty value, got [1] (array)"),
        MatcherCase(.empty(false), [1]), MatcherCase(.empty(false), " "),
        MatcherCase(.empty(false), "", #"expected a non-empty value, got "" (string)"#),
        MatcherCase(.empty(true), .null, "expected an empty value, got null, which has no length"),
        MatcherCase(
            .empty(false), 0, "expected a non-empty value, got 0 (integer), which has no length"),
    ]

    @Test(arguments: sizes) func runSizes(_ example: MatcherCase) { example.run() }

    static let elements: [MatcherCase] = [
        MatcherCase(.each(positive), [1, 2]), MatcherCase(.each(positive), []),
        MatcherCase(
            .each(positive), [1, 2, -1, "x"], "element [2]: expected > 0, got -1 (integer)",
            details: [#"element [3]: expected > 0, got "x" (string), which is not a number"#]),
        MatcherCase(
            .each(Fixture.matcher(.type([.string]), .length(Fixture.matcher(.equal(2))))), ["ab", [1]],
            "element [1]: expected a string, got [1] (array); expected length 2, got 1: [1]"),
        MatcherCase(
            .each(Fixture.matcher(.like(.constant(["a": 1])))), [["a": 1], ["a": 2]],
            "element [1]: $[1].a: expected 1 (integer), got 2 (integer)"),
        MatcherCase(
            .each(Fixture.matcher(.like(.constant(["a": 1, "b": 2])))), [["a": 0, "b": 0], ["a": 3, "b": 4]],
            "element [0]: 2 differences from the expected value",
            details: [
                "$[0].a: expected 1 (integer), got 0 (integer)", "$[0].b: expected 2 (integer), got 0 (integer)",
                "element [1]: 2 differences from the expected value",
                "  $[1].a: expected 1 (integer), got 3 (integer)", "  $[1].b: expected 2 (integer), got 4 (integer)",
            ]),
        MatcherCase(
            .each(positive), 5, "expected every element to be > 0, got 5 (integer), which is not an array"),
        MatcherCase(
            .each(Fixture.matcher(.any(large))), [[6], [1, 2]],
            "element [1]: expected an element to be > 5, but none of the 2 elements is",
            details: ["element [0]: expected > 5, got 1 (integer)", "element [1]: expected > 5, got 2 (integer)"]),
        MatcherCase(
            .each(Fixture.matcher(.each(positive))), ["a": 1],
            #"expected every element to have every element to be > 0, got {"a":1} (object), which is not an array"#),
        MatcherCase(.any(large), [1, 6]),
        MatcherCase(
            .any(large), [1, 2], "expected an element to be > 5, but none of the 2 elements is",
            details: ["element [0]: expected > 5, got 1 (integer)", "element [1]: expected > 5, got 2 (integer)"]),
        MatcherCase(.any(large), [], "expected an element to be > 5, but the array is empty"),
        MatcherCase(.any(large), 7, "expected an element to be > 5, got 7 (integer), which is not an array"),
        MatcherCase(
            .any(Fixture.matcher(.length(Fixture.matcher(.equal(1))))), ["ab"],
            "expected an element to have length 1, but the only element does not",
            details: [#"element [0]: expected length 1, got 2: "ab""#]),
        MatcherCase(.includes(startsWithD), ["A", "D"]),
        MatcherCase(
            .includes(startsWithD), ["A"], #"expected an element to start with "D", but the only element does not"#,
            details: [#"element [0]: expected to start with "D", got "A" (string)"#]),
        MatcherCase(
            .includes(startsWithD), "D",
            #"expected an element to start with "D", got "D" (string), which is not an array"#),
        MatcherCase(.none(large), [1, 2]), MatcherCase(.none(large), []),
        MatcherCase(.none(large), [1, 9], "expected no element to be > 5, but element [1] is: 9 (integer)"),
        MatcherCase(
            .none(Fixture.matcher(.contains(.constant("x")))), ["ax"],
            #"expected no element to contain "x", but element [0] does: "ax" (string)"#),
        MatcherCase(.none(large), [:], "expected no element to be > 5, got {} (object), which is not an array"),
    ]

    @Test(arguments: elements) func runElements(_ example: MatcherCase) { example.run() }

    static let orders: [MatcherCase] = [
        MatcherCase(.unique(true), [1, 2, "1"]), MatcherCase(.unique(true), []),
        MatcherCase(
            .unique(true), ["a", "b", "a"], #"expected unique elements, but [0] and [2] are both "a" (string)"#),
        MatcherCase(
            .unique(true), [1, number("1.0")], "expected unique elements, but [0] and [1] are both 1.0 (integer)"),
        MatcherCase(
            .unique(true), [["a": 1, "b": 2], ["b": 2, "a": 1]],
            #"expected unique elements, but [0] and [1] are both {"b":2,"a":1} (object)"#),
        MatcherCase(.unique(false), [1, 1]),
        MatcherCase(.unique(false), [1, 2], "expected at least two equal elements, got [1,2] (array)"),
        MatcherCase(.unique(true), "a", #"expected unique elements, got "a" (string), which is not an array"#),
        MatcherCase(.sorted(.ascending), [1, 1, 2.5]), MatcherCase(.sorted(.descending), ["c", "b", "a"]),
        MatcherCase(.sorted(.ascending), []), MatcherCase(.sorted(.ascending), [9, 10, number("1e2")]),
        MatcherCase(
            .sorted(.ascending), [1, 5, 2], "expected elements in ascending order, but [1] is 5 and [2] is 2"),
        MatcherCase(
            .sorted(.descending), ["a", "b"], #"expected elements in descending order, but [0] is "a" and [1] is "b""#),
        MatcherCase(
            .sorted(.ascending), ["9", "10"], #"expected elements in ascending order, but [0] is "9" and [1] is "10""#),
        MatcherCase(
            .sorted(.ascending), [1, "a"],
            #"expected elements in ascending order, but [0] 1 (integer) and [1] "a" (string) cannot be ordered"#),
        MatcherCase(
            .sorted(.ascending), [.null, .null],
            "expected elements in ascending order, but [0] null and [1] null cannot be ordered"),
        MatcherCase(
            .sorted(.ascending), 5, "expected elements in ascending order, got 5 (integer), which is not an array"),
    ]

    @Test(arguments: orders) func runOrders(_ example: MatcherCase) { example.run() }

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

    @Test("Of many elements, the closest ones are shown") func nearest() {
        var elements = (0..<20).map { JSONValue.object(["a": 0, "b": .number(JSONNumber($0))]) }
        elements[17] = ["a": 1, "b": 0]
        let matcher = Fixture.matcher(.includes(Fixture.matcher(.like(.constant(["a": 1, "b": 99])))))
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext()).matches(.array(elements), matcher)
        #expect(mismatch?.details.contains("element [17]: $[17].b: expected 99 (integer), got 0 (integer)") == true)
    }
}
