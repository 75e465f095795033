import Basics
import CEL
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("Equality") struct EqualityTests {
    static let values: [MatcherCase] = [
        MatcherCase(.equal("Dune"), "Dune"),
        MatcherCase(.equal("Dune"), 42, #"expected "Dune" (string), got 42 (integer)"#),
        MatcherCase(.equal("Dune"), "Dun", #"expected "Dune" (string), got "Dun" (string)"#),
        MatcherCase(
            .equal("3022853549"), 3_022_853_549, #"expected "3022853549" (string), got 3022853549 (integer)"#),
        MatcherCase(.equal(.null), nil, "expected null, got no value"),
        MatcherCase(.equal(.null), .null),
        MatcherCase(.equal(true), .null, "expected true (boolean), got null"),
        MatcherCase(.equal(false), 0, "expected false (boolean), got 0 (integer)"),
        MatcherCase(.equal([1, 2]), 3, "expected [1,2] (array), got 3 (integer)"),
        MatcherCase(.equal(["a": 1, "b": 2]), ["b": 2, "a": 1]),
        MatcherCase(.equal([:]), [], "expected {} (object), got [] (array)"),
    ]

    @Test(arguments: values) func runValues(_ example: MatcherCase) { example.run() }

    static let numbers: [MatcherCase] = [
        MatcherCase(.equal(1), 1.5, "expected 1 (integer), got 1.5 (number)"),
        MatcherCase(.equal(100), number("1e2")), MatcherCase(.equal(number("1e2")), number("100.00")),
        MatcherCase(.equal(0.1), number("0.10")), MatcherCase(.equal(0), number("-0")),
        MatcherCase(.equal(number("-0.0")), 0), MatcherCase(.equal(number("0e99")), number("-0E-7")),
        MatcherCase(
            .equal(number("0.1")), number("0.1000000000000000055511151231257827"),
            "expected 0.1 (number), got 0.1000000000000000055511151231257827 (number)"),
        MatcherCase(
            .equal(number("12345678901234567890")), number("12345678901234567891"),
            "expected 12345678901234567890 (integer), got 12345678901234567891 (integer)"),
        MatcherCase(.equal(number("1e400")), number("10e399")),
        MatcherCase(.equal(number("1e400")), number("1e401"), "expected 1e400 (integer), got 1e401 (integer)"),
        MatcherCase(
            .equal(9_007_199_254_740_993), 9_007_199_254_740_992,
            "expected 9007199254740993 (integer), got 9007199254740992 (integer)"),
    ]

    @Test("Numbers are compared as exact decimals", arguments: numbers) func runNumbers(_ example: MatcherCase) {
        example.run()
    }

    static let texts: [MatcherCase] = [
        MatcherCase(
            .equal("Dune"), "dune", #"expected "Dune" (string), got "dune" (string); they differ only in case"#),
        MatcherCase(
            .equal("Dune"), "Dune ",
            #"expected "Dune" (string), got "Dune " (string); they differ only in whitespace at the end"#),
        MatcherCase(
            .equal("Dune"), "\u{FEFF}Dune",
            #"expected "Dune" (string), got "\ufeffDune" (string); they differ only in whitespace at the beginning"#),
        MatcherCase(
            .equal("Dune\n"), "\tDune",
            #"expected "Dune\n" (string), got "\tDune" (string); they differ only in whitespace at both ends"#),
        MatcherCase(
            .equal("a\nb"), "a\tb", #"expected "a\nb" (string), got "a\tb" (string); they differ only in whitespace"#),
        MatcherCase(
            .equal("a\nb"), "a\r\nb",
            #"expected "a\nb" (string), got "a\r\nb" (string); they differ only in their line endings"#),
        MatcherCase(
            .equal("9 €"), "9\u{A0}€",
            #"expected "9 €" (string), got "9\u00a0€" (string); they differ only in whitespace: expected U+0020, got U+00A0"#
        ),
        MatcherCase(
            .equal("\u{E9}"), "e\u{301}",
            "expected \"\u{E9}\" (string), got \"e\u{301}\" (string); they look alike, but their code points differ: "
                + "expected U+00E9, got U+0065 U+0301"),
        MatcherCase(
            .equal("paypal"), "p\u{430}ypal",
            "expected \"paypal\" (string), got \"p\u{430}ypal\" (string); they differ: expected U+0061, got U+0430"),
        MatcherCase(
            .equal("one\ntwo\nthree"), "one\ntwo\ntree",
            #"expected "one\ntwo\nthree" (string), got "one\ntwo\ntree" (string); they first differ at line 3, column 2"#
        ),
        MatcherCase(
            .equal("5f0c1e7a-9b1d-4c2e-8f3a-0123456789ab"), "5f0c1e7a-9b1d-4c2e-8f3a-0123456789bb",
            #"expected "5f0c1e7a-9b1d-4c2e-8f3a-0123456789ab" (string), "#
                + #"got "5f0c1e7a-9b1d-4c2e-8f3a-0123456789bb" (string); they first differ at character 35"#),
        MatcherCase(
            .equal("The quick brown fox jumps"), "the quick brown FOX jumps",
            #"expected "The quick brown fox jumps" (string), got "the quick brown FOX jumps" (string); "#
                + "they differ only in case"),
    ]

    @Test("Messages about strings state where and how they differ", arguments: texts)
    func runTexts(_ example: MatcherCase) { example.run() }

    @Test func longTextIsCutAroundTheFirstDifference() {
        let common = String(repeating: "x", count: 500)
        let tail = String(repeating: "y", count: 500)
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext())
            .matches(.string(common + "b" + tail), Fixture.matcher(.equal(.string(common + "a" + tail))))
        let before = "…" + String(repeating: "x", count: 24)
        let after = String(repeating: "y", count: 39) + "…"
        #expect(
            mismatch?.message == "expected \"\(before)a\(after)\" (string), got \"\(before)b\(after)\" (string); "
                + "they first differ at character 501")
    }

    @Test func longTextOfSeveralLinesNamesTheLine() {
        let lines = String(repeating: "a line\n", count: 30)
        let evaluator = MatcherEvaluator(scope: CELVariables(), context: CELContext())
        let word = evaluator.matches(.string(lines + "end"), Fixture.matcher(.equal(.string(lines + "eXd"))))
        #expect(word?.message.hasSuffix("they first differ at line 31, column 2") == true)
        let letter = evaluator.matches(.string(lines + "end"), Fixture.matcher(.equal(.string(lines + "eNd"))))
        #expect(letter?.message.hasSuffix("they differ only in case, first at line 31, column 2") == true)
        let windows = lines.split(separator: "\n").joined(separator: "\r\n") + "\r\n"
        let ends = evaluator.matches(.string(windows), Fixture.matcher(.equal(.string(lines))))
        #expect(ends?.message.hasSuffix("they differ only in their line endings") == true)
    }

    static let lists: [MatcherCase] = [
        MatcherCase(.equal([]), [1], "+ unexpected $[0]: 1"),
        MatcherCase(.equal(["a", "b", "c"]), ["a", "x", "b", "c"], #"+ unexpected $[1]: "x""#),
        MatcherCase(.equal(["a", "b", "c"]), ["b", "c"], #"- missing $[0]: "a""#),
        MatcherCase(
            .equal([1, 2, 3]), [3, 1, 2, 5], "2 differences from the expected value",
            details: ["+ unexpected $[3]: 5", "~ moved from $[2] to $[0]: 3"]),
        MatcherCase(
            .equal([["id": 1, "n": 1], ["id": 2, "n": 2], ["id": 3, "n": 3]]),
            [["id": 0, "n": 0], ["id": 1, "n": 1], ["id": 2, "n": 9], ["id": 3, "n": 3]],
            "2 differences from the expected value",
            details: [#"+ unexpected $[0]: {"id":0,"n":0}"#, "$[2].n: expected 2 (integer), got 9 (integer)"]),
        MatcherCase(
            .equal(["a", "b"]), ["a", "B"], #"$[1]: expected "b" (string), got "B" (string); they differ only in case"#),
        MatcherCase(
            .equal(["a", "b", "c"]), ["c", "b", "a"],
            "the elements are as expected, but in a different order",
            details: [
                #"$[0]: expected "a" (string), got "c" (string)"#, #"$[2]: expected "c" (string), got "a" (string)"#,
            ]),
        MatcherCase(
            .equal([1, 2]), ["1", "2"], "2 differences from the expected value",
            details: [
                #"$[0]: expected 1 (integer), got "1" (string)"#, #"$[1]: expected 2 (integer), got "2" (string)"#,
            ]),
        MatcherCase(
            .equal(["author": ["name": "Ada"]]), ["author": ["name": "Bob"]],
            #"$.author.name: expected "Ada" (string), got "Bob" (string)"#),
        MatcherCase(
            .equal(["name": "Ada", "tags": ["a", "b", "x"]]), ["name": 7, "tags": ["a", "b"], "extra": 1],
            "3 differences from the expected value",
            details: [
                #"$.name: expected "Ada" (string), got 7 (integer)"#, #"- missing $.tags[2]: "x""#,
                "+ unexpected $.extra: 1",
            ]),
    ]

    @Test("Structures are reported only where they differ", arguments: lists) func runStructures(_ example: MatcherCase)
    {
        example.run()
    }

    @Test func manyDifferencesAreCutOff() {
        let expected = JSONValue.object(JSONObject((0..<30).map { ("m\($0)", JSONValue.number(JSONNumber($0))) }))
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext())
            .matches(.object(JSONObject()), Fixture.matcher(.equal(expected)))
        #expect(mismatch?.message == "30 differences from the expected value")
        #expect(mismatch?.details.count == 21)
        #expect(mismatch?.details.last == "… and 10 more differences")
        let list = JSONValue.array((0..<60).map { .number(JSONNumber($0)) })
        let reversed = JSONValue.array((0..<60).reversed().map { .number(JSONNumber($0)) })
        let moved = MatcherEvaluator(scope: CELVariables(), context: CELContext())
            .matches(reversed, Fixture.matcher(.equal(list)))
        #expect(moved?.details.count == 21)
        #expect(moved?.details.last == "… and 40 more differences")
    }

    @Test func theMismatchCarriesBothValuesAndTheLocation() {
        let mismatch = MatcherEvaluator(scope: CELVariables(), context: CELContext())
            .matches(42, Fixture.matcher(.equal("Dune"), line: 3))
        #expect(mismatch?.type.rawValue == "equals")
        #expect(mismatch?.expected == "Dune")
        #expect(mismatch?.actual == 42)
        #expect(mismatch?.range == Fixture.range(3))
    }

    static let partial: [MatcherCase] = [
        MatcherCase(.like(.constant(["a": ["b": 1]])), ["a": ["b": 1, "c": 2], "d": 3]),
        MatcherCase(.like(.constant([["id": 1], ["id": 2]])), [["id": 1, "x": 0], ["id": 2, "x": 0]]),
        MatcherCase(.like(.constant([])), []), MatcherCase(.like(.constant(7)), number("7.0")),
        MatcherCase(.like(.constant(["a": 1])), ["a": 2, "z": 0], "$.a: expected 1 (integer), got 2 (integer)"),
        MatcherCase(.like(.constant(["a": 1])), 5, #"expected {"a":1} (object), got 5 (integer)"#),
        MatcherCase(
            .like(.constant(["a": 1, "b": ["c": true], "d": "x"])), ["a": 1, "b": ["c": false, "e": 0], "f": 0],
            "2 differences from the expected value",
            details: ["$.b.c: expected true (boolean), got false (boolean)", #"- missing $.d: "x""#]),
        MatcherCase(.like(.constant([1, 2])), [1], "- missing $[1]: 2"),
        MatcherCase(
            .like(.constant([["id": 1], ["id": 2]])),
            [["id": 0, "x": 1], ["id": 1, "x": 2], ["id": 2, "x": 3]], #"+ unexpected $[0]: {"id":0}"#),
        MatcherCase(
            .like(.constant([["id": 1]])), [["id": 1, "x": 2], ["y": 3]], #"+ unexpected $[1]: {"y":3}"#),
        MatcherCase(
            .like(.constant([["id": 1], ["id": 2]])), [["id": 2, "x": 0], ["id": 1, "x": 0]],
            "the elements are as expected, but in a different order",
            details: [
                #"$[0]: expected {"id":1} (object), got {"id":2} (object)"#,
                #"$[1]: expected {"id":2} (object), got {"id":1} (object)"#,
            ]),
        MatcherCase(.strictLike(.constant(["a": ["b": 1]])), ["a": ["b": 1]]),
        MatcherCase(.strictLike(.constant(["a": 1])), ["a": 1, "z": 0], "+ unexpected $.z: 0"),
        MatcherCase(
            .strictLike(.constant(["a": 1, "b": 2])), ["a": 2, "z": 0], "3 differences from the expected value",
            details: ["$.a: expected 1 (integer), got 2 (integer)", "- missing $.b: 2", "+ unexpected $.z: 0"]),
        MatcherCase(.strictLike(.constant(["a": 1])), "a", #"expected {"a":1} (object), got "a" (string)"#),
    ]

    @Test("like and strictLike report one combined difference", arguments: partial) func runPartial(
        _ example: MatcherCase
    ) {
        example.run()
    }

    static let untyped: [MatcherCase] = [
        MatcherCase(.equal(61), "61"), MatcherCase(.equal(61), "61.0"), MatcherCase(.equal("61"), "61"),
        MatcherCase(.equal(61), "62", "expected 61, got 62"),
        MatcherCase(.equal(61), "many", #"expected 61, got "many""#),
        MatcherCase(.equal(true), "true"), MatcherCase(.equal(true), "yes", #"expected true, got "yes""#),
        MatcherCase(.equal(.null), "null"), MatcherCase(.equal(.null), "", #"expected null, got """#),
        MatcherCase(.equal("a"), "b", #"expected "a" (string), got "b" (string)"#),
        MatcherCase(.gt(.constant(10)), "61"),
        MatcherCase(.gt(.constant(100)), "61", "expected > 100, got 61"),
        MatcherCase(.gt(.constant(100)), "abc", #"expected > 100, got "abc", which is not a number"#),
        MatcherCase(
            .between(.constant(1), .constant(5)), "9", "expected between 1 and 5, got 9, which is greater than 5"),
        MatcherCase(.lt(.constant("b")), "a"),
        MatcherCase(.closeTo(value: .constant(10), within: .constant(1)), "10.5"),
        MatcherCase(.type([.integer]), "61"),
        MatcherCase(.type([.integer]), "6.1", #"expected an integer, got "6.1" (string)"#),
        MatcherCase(.type([.boolean]), "false"), MatcherCase(.type([.null]), "null"),
        MatcherCase(.type([.string]), "61"),
        MatcherCase(.type([.array]), "[]", #"expected an array, got "[]" (string)"#),
        MatcherCase(.oneOf([.constant(1), .constant(2)]), "2"),
        MatcherCase(.oneOf([.constant(1), .constant(2)]), "3", #"expected one of 1, 2, got "3" (string)"#),
        MatcherCase(.not(.equal(61)), "61", "expected anything but 61"),
    ]

    @Test("Untyped text is compared by the value it spells", arguments: untyped) func runUntyped(
        _ example: MatcherCase
    ) {
        example.run(.text)
    }
}
