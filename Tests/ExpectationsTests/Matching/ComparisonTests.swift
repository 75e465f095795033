import CEL
import Diagnostics
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("Comparison") struct ComparisonTests {
    static let order: [MatcherCase] = [
        MatcherCase(.gt(.constant(5)), 6), MatcherCase(.gt(.constant(5)), 5, "expected > 5, got 5 (integer)"),
        MatcherCase(.gt(.constant(5)), "7", #"expected > 5, got "7" (string), which is not a number"#),
        MatcherCase(.gte(.constant(5)), 5), MatcherCase(.gte(.constant(5)), 4.9, "expected ≥ 5, got 4.9 (number)"),
        MatcherCase(.gte(.constant(5)), .null, "expected ≥ 5, got null, which is not a number"),
        MatcherCase(.lt(.constant(5)), 4), MatcherCase(.lt(.constant(5)), 5, "expected < 5, got 5 (integer)"),
        MatcherCase(.lt(.constant(5)), [1], "expected < 5, got [1] (array), which is not a number"),
        MatcherCase(.lte(.constant(5)), 5), MatcherCase(.lte(.constant(5)), 6, "expected ≤ 5, got 6 (integer)"),
        MatcherCase(.lte(.constant(5)), true, "expected ≤ 5, got true (boolean), which is not a number"),
        MatcherCase(.gt(.constant(5)), nil, "expected > 5, got no value"),
        MatcherCase(.lt(.constant("b")), "a"), MatcherCase(.gte(.constant("b")), "ba"),
        MatcherCase(.lt(.constant("b")), "c", #"expected < "b", got "c" (string)"#),
        MatcherCase(.lt(.constant("b")), 1, #"expected < "b", got 1 (integer), which is not a string"#),
        MatcherCase(.between(.constant(1), .constant(5)), 1), MatcherCase(.between(.constant(1), .constant(5)), 5),
        MatcherCase(
            .between(.constant(1), .constant(5)), 7,
            "expected between 1 and 5, got 7 (integer), which is greater than 5"),
        MatcherCase(
            .between(.constant(1), .constant(5)), 0.5,
            "expected between 1 and 5, got 0.5 (number), which is less than 1"),
        MatcherCase(
            .between(.constant(1), .constant(5)), "3",
            #"expected between 1 and 5, got "3" (string), which is not a number"#),
        MatcherCase(.between(.constant("b"), .constant("d")), "c"),
        MatcherCase(
            .between(.constant("b"), .constant("d")), "a",
            #"expected between "b" and "d", got "a" (string), which sorts before "b""#),
        MatcherCase(
            .between(.constant("b"), .constant("d")), "e",
            #"expected between "b" and "d", got "e" (string), which sorts after "d""#),
    ]

    @Test(arguments: order) func runOrder(_ example: MatcherCase) { example.run() }

    static let exact: [MatcherCase] = [
        MatcherCase(.gt(.constant(number("12345678901234567890"))), number("12345678901234567891")),
        MatcherCase(.lt(.constant(number("0.3"))), number("0.29999999999999999999")),
        MatcherCase(.gt(.constant(number("1e400"))), number("1.0000000001e400")),
        MatcherCase(.lt(.constant(number("-1e400"))), 0, "expected < -1e400, got 0 (integer)"),
        MatcherCase(.gte(.constant(0)), number("-0")), MatcherCase(.lte(.constant(number("-0.0"))), 0),
        MatcherCase(.gte(.constant(100)), number("1e2")), MatcherCase(.lte(.constant(100)), number("1e2")),
        MatcherCase(.closeTo(value: .constant(0.3), within: .constant(0.1)), number("0.4")),
        MatcherCase(.closeTo(value: .constant(0.3), within: .constant(0)), number("0.30")),
        // With doubles, 0.1 + 0.2 would not be within this distance.
        MatcherCase(
            .closeTo(value: .constant(number("0.3")), within: .constant(number("0.00000000000000001"))),
            number("0.30000000000000004"),
            "expected 0.3 ± 0.00000000000000001, got 0.30000000000000004 (number), which is 4e-17 away"),
        MatcherCase(
            .closeTo(value: .constant(0.3), within: .constant(0.1)), number("0.41"),
            "expected 0.3 ± 0.1, got 0.41 (number), which is 0.11 away"),
        MatcherCase(
            .closeTo(value: .constant(0.3), within: .constant(0.1)), "0.3",
            #"expected 0.3 ± 0.1, got "0.3" (string), which is not a number"#),
        MatcherCase(
            .closeTo(value: .constant(5), within: .constant(1)), [:],
            "expected 5 ± 1, got {} (object), which is not a number"),
    ]

    @Test("Numbers are compared as exact decimals", arguments: exact) func runExact(_ example: MatcherCase) {
        example.run()
    }

    static let quantities: [MatcherCase] = [
        MatcherCase(Fixture.matcher(.lt(.constant(2_000_000_000)), domain: .duration), 1_999_999_999),
        MatcherCase(
            Fixture.matcher(.lt(.constant(2_000_000_000)), domain: .duration), 2_310_000_000,
            "expected < 2 s, got 2.31 s"),
        MatcherCase(
            Fixture.matcher(.lt(.constant(2_000_000_000)), domain: .duration), 2_000_000_001,
            "expected < 2 s, got 2.000000001 s"),
        MatcherCase(
            Fixture.matcher(.lt(.constant(250_000_000)), domain: .duration), 90_000_000_000,
            "expected < 250 ms, got 1 min 30 s"),
        MatcherCase(
            Fixture.matcher(.between(.constant(0), .constant(41_300_000)), domain: .duration), 41_900_000,
            "expected between 0 ns and 41.3 ms, got 41.9 ms, which is greater than 41.3 ms"),
        MatcherCase(Fixture.matcher(.lte(.constant(64_000)), domain: .size), 64_000),
        MatcherCase(Fixture.matcher(.lte(.constant(64_000)), domain: .size), 1_500_000, "expected ≤ 64 KB, got 1.5 MB"),
        MatcherCase(Fixture.matcher(.equals(.constant(61)), domain: .size), 62, "expected 61 B, got 62 B"),
        MatcherCase(Fixture.matcher(.gt(.constant(64_000)), domain: .size), 63_999, "expected > 64 KB, got 63.999 KB"),
        MatcherCase(
            Fixture.matcher(.gte(.constant(1_048_576)), domain: .size), 980_000, "expected ≥ 1 MiB, got 957 KiB"),
        MatcherCase(
            Fixture.matcher(.gte(.constant(1_048_576)), domain: .size), 1_048_575, "expected ≥ 1 MiB, got 1048575 B"),
        MatcherCase(
            Fixture.matcher(.gt(.constant(1_073_741_824)), domain: .size), 1_073_300_000,
            "expected > 1 GiB, got 1073300000 B"),
        MatcherCase(
            Fixture.matcher(.gte(.constant(1_000_000_000)), domain: .duration), 999_999_999,
            "expected ≥ 1 s, got 999.999999 ms"),
        MatcherCase(
            Fixture.matcher(.lt(.constant(1_572_864)), domain: .size), 61_000_000, "expected < 1.5 MiB, got 58.2 MiB"),
        MatcherCase(Fixture.matcher(.equals(.constant(2_048)), domain: .size), 61, "expected 2 KiB, got 61 B"),
        MatcherCase(
            Fixture.matcher(.lt(.constant(1_234_000_000)), domain: .duration), 1_300_000_000,
            "expected < 1.234 s, got 1.3 s"),
        MatcherCase(
            Fixture.matcher(.lt(.constant(1_234_000_000)), domain: .duration), 1_234_100_000,
            "expected < 1.234 s, got 1.2341 s"),
        MatcherCase(
            Fixture.matcher(.lt(.constant(90_500_000_000)), domain: .duration), 100_000_000_000,
            "expected < 1 min 30.5 s, got 1 min 40 s"),
        MatcherCase(
            Fixture.matcher(.lt(.constant(90_000_000_000)), domain: .duration), 90_400_000_000,
            "expected < 1 min 30 s, got 1 min 30.4 s"),
        MatcherCase(
            Fixture.matcher(.between(.constant(1_000_000), .constant(2_000_000)), domain: .duration), 900_000,
            "expected between 1 ms and 2 ms, got 900 µs, which is less than 1 ms"),
        MatcherCase(
            Fixture.matcher(
                .closeTo(value: .constant(1_000_000_000), within: .constant(100_000_000)), domain: .duration),
            1_250_000_000, "expected 1 s ± 100 ms, got 1.25 s, which is 250 ms away"),
        MatcherCase(
            Fixture.matcher(.oneOf([.constant(1_000), .constant(2_000)]), domain: .size), 1_500,
            "expected one of 1 KB, 2 KB, got 1.5 KB"),
        MatcherCase(
            Fixture.matcher(.not(Fixture.matcher(.lt(.constant(1_000)), domain: .size)), domain: .size), 500,
            "expected not < 1 KB, got 500 B"),
        MatcherCase(
            Fixture.matcher(
                .either([
                    Fixture.matcher(.lt(.constant(1_000)), domain: .size),
                    Fixture.matcher(.gt(.constant(5_000)), domain: .size),
                ]), domain: .size), 2_000, "expected one of 2 alternatives to match, got 2 KB",
            details: ["1. expected < 1 KB, got 2 KB", "2. expected > 5 KB, got 2 KB"]),
    ]

    @Test("Durations and sizes are printed with their unit", arguments: quantities)
    func runQuantities(_ example: MatcherCase) { example.run() }

    @Test func operandsFromExpressions() throws {
        let scope: CELVariables = ["limit": 5, "slow": "250ms", "prefix": "/books"]
        let evaluator = MatcherEvaluator(scope: scope, context: CELContext())
        let limit = ValueTemplate.template(try Fixture.template("limit * 2"))
        #expect(evaluator.matches(11, Fixture.matcher(.lte(limit)))?.message == "expected ≤ 10, got 11 (integer)")
        let slow = ValueTemplate.template(try Fixture.template("slow"))
        #expect(evaluator.matches(200_000_000, Fixture.matcher(.lt(slow), domain: .duration)) == nil)
        #expect(
            evaluator.matches(300_000_000, Fixture.matcher(.lt(slow), domain: .duration))?.message
                == "expected < 250 ms, got 300 ms")
        let prefix = Template.joined([.expression(try Fixture.expression("prefix")), .text("/")])
        #expect(evaluator.matches("/books/7", Fixture.matcher(.startsWith(prefix))) == nil)
        let pattern = Matcher.Pattern.template(
            .joined([.text("^"), .expression(try Fixture.expression("prefix")), .text(#"/\d+$"#)]),
            range: Fixture.range())
        #expect(evaluator.matches("/books/7", Fixture.matcher(.matches(pattern))) == nil)
        #expect(
            evaluator.matches("/books/x", Fixture.matcher(.matches(pattern)))?.message
                == #"expected to match /^/books/\d+$/, got "/books/x" (string); it matches as far as /^/books//: "/books/""#
        )
    }

    @Test func failingOperandsAreErrorsWithTheirLocation() throws {
        let evaluator = MatcherEvaluator(scope: CELVariables(["zero": 0, "count": 5]), context: CELContext())
        let failing = ValueTemplate.template(.expression(try Fixture.expression("1 / zero", line: 4)))
        let mismatch = evaluator.matches(1, Fixture.matcher(.not(Fixture.matcher(.equals(failing)))))
        #expect(mismatch?.kind == .error)
        #expect(mismatch?.type == .expression)
        #expect(mismatch?.range.start.line == 4)
        let bare = ValueTemplate.template(try Fixture.template("count"))
        #expect(
            evaluator.matches(1, Fixture.matcher(.lt(bare), domain: .duration))?.message
                == "expected a duration such as 250ms or 2s, got 5 (integer)")
        let pattern = Matcher.Pattern.template(.constant("("), range: Fixture.range(6))
        let malformed = evaluator.matches("a", Fixture.matcher(.matches(pattern)))
        #expect(malformed?.kind == .error)
        #expect(malformed?.range.start.line == 6)
        #expect(malformed?.message.hasPrefix(#""(" is not a regular expression: "#) == true)
        let flag = evaluator.matches(5, Fixture.matcher(.gt(.constant(true))))
        #expect(flag?.kind == .error)
        #expect(flag?.message == "gt requires a number or a string, got true (boolean)")
        let inList = evaluator.matches([1], Fixture.matcher(.any(Fixture.matcher(.gt(.constant(.null))))))
        #expect(inList?.kind == .error)
        let unusable = evaluator.matches(
            5, Fixture.matcher(.closeTo(value: .constant("5"), within: .constant(1))))
        #expect(unusable?.kind == .error)
        #expect(
            unusable?.message
                == "closeTo requires a number within a number, or a date-time within a duration, "
                + #"got "5" (string) within 1 (integer)"#)
        let date = evaluator.matches("2026-01-01", Fixture.matcher(.before(.constant(5))))
        #expect(date?.message == "before requires a date or date-time (RFC 3339), got 5 (integer)")
        #expect(date?.kind == .error)
    }
}
