import CEL
import JSON
import SuiteModel
import Testing

@testable import Expectations

@Suite("Large values") struct LargeValueTests {
    private func message(_ op: Matcher.Operator, _ value: JSONValue) -> String? {
        MatcherEvaluator(scope: CELVariables(), context: CELContext()).matches(value, Fixture.matcher(op))?.message
    }

    @Test("Messages about long strings are short and computed in one pass") func texts() {
        let line = "the same line again and again\n"
        let long = String(repeating: line, count: 40_000)
        let operators: [Matcher.Operator] = [
            .equal(.string(long + "x")), .contains(.constant("again and never")), .startsWith(.constant("The")),
            .endsWith(.constant("never")), .matching("^never$"), .not(.contains(.constant("again"))),
            .oneOf([.constant("a"), .constant(.string(long + "x"))]), .length(Fixture.matcher(.equal(1))),
            .not(.matching("again")),
        ]
        for op in operators {
            let message = message(op, .string(long))
            #expect(message != nil)
            #expect(message?.utf8.count ?? 0 < 1_000)
        }
        let location = message(.contains(.constant("again and never")), .string(long))
        #expect(
            location?.contains("its beginning \"again and …\" is at character 15, followed by \"…again\\nthe")
                == true)
    }

    @Test("A long array is examined in part") func lists() {
        let list = JSONValue.array((0..<20_000).map { ["id": .number(JSONNumber($0)), "name": "x", "n": [1, 2, 3]] })
        let operators: [Matcher.Operator] = [
            .contains(.constant(["id": 7, "name": "y", "n": [1, 2, 3]])),
            .any(Fixture.matcher(.like(.constant(["id": 50, "name": "z"])))),
            .each(Fixture.matcher(.like(.constant(["name": "y"])))), .like(.constant([["id": 1]])),
            .none(Fixture.matcher(.like(.constant(["id": 19_999])))), .equal([]),
        ]
        for op in operators {
            let message = message(op, list)
            #expect(message != nil)
            #expect(message?.utf8.count ?? 0 < 1_000)
        }
        #expect(
            message(operators[0], list)?.hasSuffix("; element [7] is the nearest, with 1 difference") == true)
    }

    @Test("The prefixes of a long pattern are not tried") func patterns() {
        let pattern = String(repeating: "a?", count: 100) + "b"
        #expect(message(.matching(pattern), "aaaa")?.contains("as far as") == false)
    }
}
