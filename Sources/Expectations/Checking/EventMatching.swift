public import CEL
import Diagnostics
public import JSON
import RunModel
public import SuiteModel

/// Matches the events of a stream, one after another as they come, with those that are expected.
///
/// Each expected event is matched by the first event behind the one before it that satisfies it; others may come between.
public struct EventMatching {
    private let expected: [ExpectationExtras.Event]
    private let evaluator: MatcherEvaluator
    private let textEvaluator: MatcherEvaluator
    /// How many of the expected events have come.
    public private(set) var matched = 0
    /// The number of events that were there when the last one was matched.
    private var positionOfLast = 0
    private var received = 0

    /// The most events that a finding lists.
    private static var longestList: Int { 5 }

    /// Creates a matching of which no event has come.
    ///
    /// - Parameters:
    ///   - expected: The events, in order.
    ///   - content: The response, as far as it is there.
    ///   - scope: The variables of the suite.
    public init(
        _ expected: [ExpectationExtras.Event], content: ResponseContent, scope: any CELScope, context: CELContext
    ) {
        let scope = ExchangeScope(content, parent: scope, precedence: .parent)
        self.init(expected, evaluator: MatcherEvaluator(scope: scope, context: context))
    }

    init(_ expected: [ExpectationExtras.Event], evaluator: MatcherEvaluator) {
        self.expected = expected
        self.evaluator = evaluator
        textEvaluator = MatcherEvaluator(
            scope: evaluator.scope, context: evaluator.context, subjectKind: .text)
    }

    /// Whether every expected event has come.
    public var isComplete: Bool { matched == expected.count }

    /// Takes an event; gives whether every expected event has come.
    public mutating func receive(_ event: JSONValue) -> Bool {
        received += 1
        if !isComplete, mismatches(event, expected[matched], isQuiet: true).isEmpty {
            matched += 1
            positionOfLast = received
        }
        return isComplete
    }

    private func mismatches(_ event: JSONValue, _ expected: ExpectationExtras.Event, isQuiet: Bool) -> [Mismatch] {
        switch expected {
        case .value(let matcher):
            let evaluator = event.stringValue == nil ? evaluator : textEvaluator
            return (isQuiet ? evaluator.quiet : evaluator).mismatches(event, matcher)
        case .members(let members, _):
            var result: [Mismatch] = []
            for member in members {
                let evaluator = member.name == "data" ? evaluator : textEvaluator
                for var mismatch in (isQuiet ? evaluator.quiet : evaluator).mismatches(
                    event[member.name], member.matcher)
                {
                    mismatch.message = "\(member.name): \(mismatch.message)"
                    result.append(mismatch)
                }
                if isQuiet, !result.isEmpty { return result }
            }
            return result
        }
    }

    /// What is wrong with a stream whose events were all received; nil when every expected event has come.
    func finding(_ events: [JSONValue], end: ExchangeDetails.StreamEnd?) -> Finding? {
        guard !isComplete else { return nil }
        let missing = expected[matched]
        let candidates = events.dropFirst(positionOfLast)
        var message = "expected event \(matched + 1) of \(expected.count), "
        if candidates.isEmpty {
            message += events.isEmpty ? "got no event" : "got no event after event \(positionOfLast)"
        } else {
            message += "got none like it in \(ValueDescription.count(candidates.count, "event"))"
            if positionOfLast > 0 { message += " after event \(positionOfLast)" }
        }
        switch end {
        case .timeout(let time)?:
            message += " until the timeout of " + Quantity.describe(.number(JSONNumber(time)), in: .duration)
        case .closed?: message += " until the end of the stream"
        case .complete?, nil: break
        }
        var details: [String] = []
        var kind = Finding.Kind.failure
        if candidates.count > Self.longestList {
            details.append("… \(candidates.count - Self.longestList) earlier events")
        }
        for (index, event) in candidates.enumerated().suffix(Self.longestList) {
            let reasons = mismatches(event, missing, isQuiet: false)
            if reasons.contains(where: { $0.kind == .error }) { kind = .error }
            details.append("event \(positionOfLast + index + 1): \(ValueDescription.plain(event))")
            details += reasons.prefix(3).map { "  \($0.message)" }
        }
        return Finding(
            kind: kind, subject: "events", type: .init("events"), message: message, range: missing.range,
            details: details)
    }
}
