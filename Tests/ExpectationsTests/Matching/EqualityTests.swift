import CEL
import JSON
import SuiteModel
import Testing

@testable import Expectations

@Suite("Equality") struct EqualityTests {
    @Test(arguments: [
        MatcherCase(.equals(.constant("Dune")), "Dune"),
        MatcherCase(.equals(.constant("Dune")), 42, #"expected "Dune" (string), got 42 (integer)"#),
        MatcherCase(.equals(.constant("Dune")), "Dun", #"expected "Dune" (string), got "Dun" (string)"#),
        MatcherCase(
            .equals(.constant("3022853549")), 3_022_853_549,
            #"expected "3022853549" (string), got 3022853549 (integer)"#),
        MatcherCase(.equals(.constant(.null)), nil, "expected null, but there is no value"),
        MatcherCase(.equals(.constant(.null)), .null),
        MatcherCase(.equals(.constant(true)), .null, "expected true (boolean), got null"),
        MatcherCase(.equals(.constant(1)), 1.5, "expected 1 (integer), got 1.5 (number)"),
        MatcherCase(.equals(.constant(100)), number("1e2")),
        MatcherCase(.equals(.constant(0.1)), number("0.10")),
        MatcherCase(
            .equals(.constant(number("12345678901234567890"))), number("12345678901234567891"),
            "expected 12345678901234567890 (integer), got 12345678901234567891 (integer)"),
        MatcherCase(.equals(.constant("a\nb")), "a\tb", #"expected "a\nb" (string), got "a\tb" (string)"#),
        MatcherCase(
            .equals(.constant("\u{E9}")), "e\u{301}",
            "expected \"\u{E9}\" (string), got \"e\u{301}\" (string); they look alike, but their code points differ: "
                + "U+00E9 against U+0065 U+0301"),
        MatcherCase(.equals(.constant([1, 2])), 3, "expected [1,2] (array), got 3 (integer)"),
        MatcherCase(.equals(.constant(["a": 1, "b": 2])), ["b": 2, "a": 1]),
        MatcherCase(
            .equals(.constant(["author": ["name": "Ada"]])), ["author": ["name": "Bob"]],
            #"$.author.name: expected "Ada" (string), got "Bob" (string)"#),
        MatcherCase(
            .equals(.constant(["name": "Ada", "tags": ["a", "b", "x"]])), ["name": 7, "tags": ["a", "b"], "extra": 1],
            "3 differences from what is expected",
            details: [
                #"$.name: expected "Ada" (string), got 7 (integer)"#, #"- missing $.tags[2]: "x""#,
                "+ unexpected $.extra: 1",
            ]),
        MatcherCase(.equals(.constant([])), [1], "+ unexpected $[0]: 1"),
    ])
    func equals(_ example: MatcherCase) { example.run() }

    @Test func longTextIsCutAroundTheFirstDifference() {
        let common = String(repeating: "x", count: 500)
        let tail = String(repeating: "y", count: 500)
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext())
            .matches(.string(common + "b" + tail), Fixture.matcher(.equals(.constant(.string(common + "a" + tail)))))
        let before = "…" + String(repeating: "x", count: 24)
        let after = String(repeating: "y", count: 39) + "…"
        #expect(
            mismatch?.message == "expected \"\(before)a\(after)\" (string), got \"\(before)b\(after)\" (string); "
                + "they differ from character 501 on")
    }

    @Test func longTextOfSeveralLinesNamesTheLine() {
        let lines = String(repeating: "a line\n", count: 30)
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext())
            .matches(.string(lines + "end"), Fixture.matcher(.equals(.constant(.string(lines + "eNd")))))
        #expect(mismatch?.message.hasSuffix("they differ from line 31, column 2 on") == true)
    }

    @Test func manyDifferencesAreCutOff() {
        let expected = JSONValue.object(JSONObject((0..<30).map { ("m\($0)", JSONValue.number(JSONNumber($0))) }))
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext())
            .matches(.object(JSONObject()), Fixture.matcher(.equals(.constant(expected))))
        #expect(mismatch?.message == "30 differences from what is expected")
        #expect(mismatch?.details.count == 21)
        #expect(mismatch?.details.last == "… and 10 more differences")
    }

    @Test func theMismatchCarriesBothValuesAndThePlace() {
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext())
            .matches(42, Fixture.matcher(.equals(.constant("Dune")), line: 3))
        #expect(mismatch?.type == "equals")
        #expect(mismatch?.expected == "Dune")
        #expect(mismatch?.actual == 42)
        #expect(mismatch?.range == Fixture.range(3))
    }

    @Test(arguments: [
        MatcherCase(.equals(.constant(61)), "61"),
        MatcherCase(.equals(.constant(61)), "62", #"expected 61 (integer), got "62" (string)"#),
        MatcherCase(.equals(.constant(true)), "true"),
        MatcherCase(.equals(.constant("61")), "61"),
        MatcherCase(.gt(.constant(10)), "61"),
        MatcherCase(.gt(.constant(10)), "9", #"expected > 10, got "9" (string)"#),
        MatcherCase(.gt(.constant(10)), "many", #"expected > 10, got "many" (string)"#),
        MatcherCase(.type([.integer]), "61"),
        MatcherCase(.type([.integer]), "6.1", #"expected an integer, got "6.1" (string)"#),
    ])
    func textSubjectsHaveNoTypes(_ example: MatcherCase) { example.run(.text) }

    @Test(arguments: [
        MatcherCase(.not(Fixture.matcher(.equals(.constant("a")))), "b"),
        MatcherCase(.not(Fixture.matcher(.equals(.constant("a")))), "a", #"expected anything but "a" (string)"#),
        MatcherCase(
            .not(Fixture.matcher(.contains(.constant("x")))), "axb", #"expected not to contain "x", got "axb" (string)"#
        ),
        MatcherCase(.not(Fixture.matcher(.gt(.constant(5)))), 7, "expected anything but > 5, got 7 (integer)"),
        MatcherCase(.not(Fixture.matcher(.gt(.constant(5)))), 5),
        MatcherCase(
            .not(Fixture.matcher(.equals(.constant("a")))), nil, #"expected not "a" (string), but there is no value"#),
        MatcherCase(.not(Fixture.matcher(.exists(true))), nil),
        MatcherCase(.exists(true), 1), MatcherCase(.exists(true), nil, "expected a value, but there is no value"),
        MatcherCase(.exists(false), nil), MatcherCase(.exists(false), 42, "expected no value, got 42 (integer)"),
        MatcherCase(.oneOf([.constant("a"), .constant(2)]), 2),
        MatcherCase(.oneOf([.constant("a"), .constant(2)]), "2", #"expected one of "a", 2, got "2" (string)"#),
        MatcherCase(.all([Fixture.matcher(.gt(.constant(1))), Fixture.matcher(.lt(.constant(9)))]), 5),
        MatcherCase(
            .all([Fixture.matcher(.gt(.constant(1))), Fixture.matcher(.lt(.constant(9)))]), 9,
            "expected < 9, got 9 (integer)"),
        MatcherCase(.either([Fixture.matcher(.equals(.constant("a"))), Fixture.matcher(.gt(.constant(7)))]), 8),
        MatcherCase(
            .either([Fixture.matcher(.equals(.constant("a"))), Fixture.matcher(.gt(.constant(7)))]), 5,
            "expected one of 2 alternatives to match, got 5 (integer)",
            details: [#"1. expected "a" (string), got 5 (integer)"#, "2. expected > 7, got 5 (integer)"]),
        MatcherCase(.either([Fixture.matcher(.exists(false)), Fixture.matcher(.equals(.constant(1)))]), nil),
    ])
    func logic(_ example: MatcherCase) { example.run() }

    @Test(arguments: [
        MatcherCase(.like(.constant(["a": ["b": 1]])), ["a": ["b": 1, "c": 2], "d": 3]),
        MatcherCase(.like(.constant([["id": 1], ["id": 2]])), [["id": 1, "x": 0], ["id": 2, "x": 0]]),
        MatcherCase(.like(.constant(["a": 1])), ["a": 2, "z": 0], "$.a: expected 1 (integer), got 2 (integer)"),
        MatcherCase(.like(.constant(["a": 1])), 5, #"expected {"a":1} (object), got 5 (integer)"#),
        MatcherCase(
            .like(.constant(["a": 1, "b": ["c": true], "d": "x"])), ["a": 1, "b": ["c": false, "e": 0], "f": 0],
            "2 differences from what is expected",
            details: ["$.b.c: expected true (boolean), got false (boolean)", #"- missing $.d: "x""#]),
        MatcherCase(.like(.constant([1, 2])), [1], "- missing $[1]: 2"),
        MatcherCase(.strictLike(.constant(["a": ["b": 1]])), ["a": ["b": 1]]),
        MatcherCase(.strictLike(.constant(["a": 1])), ["a": 1, "z": 0], "+ unexpected $.z: 0"),
        MatcherCase(.strictLike(.constant(["a": 1])), "a", #"expected {"a":1} (object), got "a" (string)"#),
    ])
    func structure(_ example: MatcherCase) { example.run() }
}

/// A number as it is written.
func number(_ literal: String) -> JSONValue { JSONNumber(literal: literal).map { .number($0) } ?? .null }
