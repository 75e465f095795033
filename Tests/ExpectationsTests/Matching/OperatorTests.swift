import CEL
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

/// Tests of properties that all operators share.
@Suite("All operators") struct OperatorTests {
    /// The operators of the suite language. Schemas have separate tests.
    static let keywords = Matcher.Operator.Keyword.allCases.filter { $0 != .jsonSchema }

    static let tables =
        EqualityTests.values + EqualityTests.partial + LogicTests.table + LogicTests.contraries + ComparisonTests.order
        + ComparisonTests.exact + DateTests.table + TypeTests.table + TextTests.parts + TextTests.ends
        + TextTests.patterns + CollectionTests.sizes + CollectionTests.elements + CollectionTests.orders
        + FilterTests.filters
        + FilterTests.objects

    static let contraries = LogicTests.contraries + FilterTests.contraries

    @Test("Each operator has cases that hold, cases that fail, and a negated case", arguments: keywords)
    func isTested(_ keyword: Matcher.Operator.Keyword) {
        let cases = Self.tables.filter { $0.keywords == [keyword.rawValue] }
        #expect(cases.contains { $0.message == nil })
        #expect(cases.contains { $0.message != nil })
        let contraries = Self.contraries.filter { example in
            guard case .not(let inner)? = example.matcher.operations.first?.operator else { return false }
            return inner.operations.first?.operator.keyword == keyword && example.message != nil
        }
        #expect(!contraries.isEmpty)
    }

    static let values: [JSONValue] = [
        .null, true, false, 0, number("-0.0"), number("1e400"), "", "text", "2026-01-01", [], [.null], [1, "a", [:]],
        [:],
        ["a": .null], .string(String(repeating: "é\u{301}\n", count: 500)),
        .array(Array(repeating: ["a": [1, 2, 3]], count: 60)),
    ]

    @Test("Each operator returns a verdict and a message for any value", arguments: values)
    func anyValue(_ value: JSONValue) {
        let evaluator = MatcherEvaluator(scope: CELVariables(), context: CELContext())
        for kind in [MatcherEvaluator.SubjectKind.value, .text] {
            let evaluator = MatcherEvaluator(scope: CELVariables(), context: CELContext(), subjectKind: kind)
            for example in Self.tables {
                check(evaluator, value, example.matcher)
                check(evaluator, value, Fixture.matcher(.not(example.matcher)))
            }
        }
        for example in Self.tables {
            check(evaluator, .array([value, value]), Fixture.matcher(.each(example.matcher)))
            check(evaluator, .array([value, value]), Fixture.matcher(.any(example.matcher)))
            check(evaluator, .array([value]), Fixture.matcher(.none(example.matcher)))
            check(evaluator, .array([value]), Fixture.matcher(.not(.any(example.matcher))))
            check(evaluator, value, Fixture.matcher(.either([example.matcher, example.matcher])))
        }
    }

    private func check(_ evaluator: MatcherEvaluator, _ value: JSONValue, _ matcher: Matcher) {
        let mismatches = evaluator.mismatches(value, matcher)
        let verdict = evaluator.quiet.matches(value, matcher)
        #expect(mismatches.isEmpty == (verdict == nil))
        for mismatch in mismatches {
            #expect(mismatch.kind == .failure)
            #expect(!mismatch.message.isEmpty)
            #expect(mismatch.message.utf8.count < 2_000)
            #expect(mismatch.details.count <= 200)
        }
    }

    @Test("An empty matcher matches everything") func empty() {
        let evaluator = MatcherEvaluator(scope: CELVariables(), context: CELContext())
        #expect(evaluator.matches(7, Fixture.matcher()) == nil)
        let contrary = evaluator.matches(7, Fixture.matcher(.not(Fixture.matcher())))
        #expect(contrary?.message == "expected anything but anything, got 7 (integer)")
    }
}
