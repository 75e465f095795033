import Basics
import CEL
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

/// A value, a matcher, and the expected message; nil if the value matches.
struct MatcherCase: Sendable, CustomTestStringConvertible {
    var matcher: Matcher
    var value: JSONValue?
    var message: String?
    var details: [String]

    init(_ operator: Matcher.Operator, _ value: JSONValue?, _ message: String? = nil, details: [String] = []) {
        self.init(Fixture.matcher(`operator`), value, message, details: details)
    }

    init(_ matcher: Matcher, _ value: JSONValue?, _ message: String? = nil, details: [String] = []) {
        self.matcher = matcher
        self.value = value
        self.message = message
        self.details = details
    }

    /// The top-level operators.
    var keywords: [String] { matcher.operations.map(\.operator.keyword.rawValue) }

    var testDescription: String {
        "\(keywords.joined(separator: ", ")) on \(value?.serialized() ?? "nothing")"
    }

    func run(_ kind: MatcherEvaluator.SubjectKind = .value, scope: CELVariables = [:]) {
        let evaluator = MatcherEvaluator(scope: scope, context: CELContext(), subjectKind: kind)
        let mismatch = evaluator.matches(value, matcher)
        #expect(mismatch?.message == message)
        #expect(mismatch?.details.map(\.text) ?? [] == details)
        // The result without a message is the same.
        #expect((evaluator.quiet.matches(value, matcher) == nil) == (message == nil))
        if let mismatch {
            #expect(mismatch.kind == .failure)
            // The reason is that of the operator within these.
            let isWithin = ["all", "regex", "as"].contains(where: keywords.contains)
            #expect(keywords.contains(mismatch.type.rawValue) || isWithin)
        }
    }
}

/// Returns a number with the given literal.
func number(_ literal: String) -> JSONValue { JSONNumber(literal: literal).map { .number($0) } ?? .null }

extension Matcher.Operator {
    /// Returns a pattern that is compiled on use.
    static func matching(_ pattern: String) -> Matcher.Operator {
        .matches(.template(.constant(pattern), range: Fixture.range()))
    }

    static func equal(_ value: JSONValue) -> Matcher.Operator { .equals(.constant(value)) }

    static func not(_ operator: Matcher.Operator) -> Matcher.Operator { .not(Fixture.matcher(`operator`)) }
}
