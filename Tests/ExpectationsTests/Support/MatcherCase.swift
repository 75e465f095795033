import CEL
import JSON
import SuiteModel
import Testing

@testable import Expectations

/// A value held against a matcher, with the message that is expected; nil when the value matches.
struct MatcherCase: Sendable, CustomTestStringConvertible {
    var matcher: Matcher
    var value: JSONValue?
    var message: String?
    var details: [String]

    init(_ operator: Matcher.Operator, _ value: JSONValue?, _ message: String? = nil, details: [String] = []) {
        matcher = Fixture.matcher(`operator`)
        self.value = value
        self.message = message
        self.details = details
    }

    init(_ matcher: Matcher, _ value: JSONValue?, _ message: String? = nil, details: [String] = []) {
        self.matcher = matcher
        self.value = value
        self.message = message
        self.details = details
    }

    var testDescription: String {
        let operators = matcher.operations.map(\.operator.keyword).joined(separator: ", ")
        return "\(operators) on \(value?.serialized() ?? "nothing")"
    }

    func run(_ kind: MatcherEvaluator<CELVariables>.SubjectKind = .value, scope: CELVariables = [:]) {
        let evaluator = MatcherEvaluator(scope: scope, context: CELContext(), subjectKind: kind)
        let mismatch = evaluator.matches(value, matcher)
        #expect(mismatch?.message == message)
        #expect(mismatch?.details ?? [] == details)
        if let mismatch { #expect(mismatch.kind == .failure) }
    }
}
