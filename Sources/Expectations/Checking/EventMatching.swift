import Basics
public import CEL
import Diagnostics
public import JSON
import RunModel
public import SuiteModel

/// A matching of a stream's events against the expected events as they arrive.
///
/// Each expected event is matched by the first event that satisfies it after the previous match. Other events may come
/// in between.
public struct EventMatching {
    private let expected: [ExpectationExtras.Event]
    private let evaluator: MatcherEvaluator
    private let textEvaluator: MatcherEvaluator
    /// The number of expected events that have been matched.
    public private(set) var matched = 0
    /// The number of events received when the last one was matched.
    private var positionOfLast = 0
    private var received = 0

    /// The maximum number of events listed in a finding.
    private static var maximumListCount: Int { 5 }

    /// Creates a matching before any event has arrived.
    ///
    /// - Parameters:
    ///   - expected: The expected events, in order.
    ///   - content: The response received so far.
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

    /// Whether all expected events have been matched.
    public var isComplete: Bool { matched == expected.count }

    /// Processes an event and returns whether all expected events have been matched.
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
                    mismatch.wording = "\(member.name): \(mismatch.wording)"
                    result.append(mismatch)
                }
                if isQuiet, !result.isEmpty { return result }
            }
            return result
        }
    }

    /// Returns the finding for a stream after all of its events; nil if all expected events have been matched.
    ///
    /// - Parameter type: The media type of the response, if it is not that of an event stream.
    func finding(_ events: [JSONValue], end: ExchangeDetails.StreamEnd?, type: String? = nil) -> Finding? {
        guard !isComplete else { return nil }
        let missing = expected[matched]
        let candidates = events.dropFirst(positionOfLast)
        var message: MessageText = "expected event \(matched + 1) of \(expected.count)"
        switch end {
        case .timeout(let time)?:
            message += " before the timeout of \(Quantity.describe(.number(JSONNumber(time)), in: .duration))"
        case .closed?: message += " before the end of the stream"
        case .complete?, nil: break
        }
        let position: MessageText = positionOfLast > 0 ? " after event \(positionOfLast)" : ""
        switch candidates.count {
        case 0: message += ", but no event arrived\(position)"
        case 1: message += ", but the only event\(position) does not match"
        default: message += ", but none of the \(candidates.count) events\(position) matches"
        }
        var details: [MessageText] = []
        if let type { details.append("the response is not an event stream: its Content-Type is \(type)") }
        var kind = Finding.Kind.failure
        if candidates.count > Self.maximumListCount {
            details.append("… \(candidates.count - Self.maximumListCount) earlier events")
        }
        for (index, event) in candidates.enumerated().suffix(Self.maximumListCount) {
            let reasons = mismatches(event, missing, isQuiet: false)
            if reasons.contains(where: { $0.kind == .error }) { kind = .error }
            details.append("event \(positionOfLast + index + 1): \(ValueDescription.plain(event))")
            details += reasons.prefix(3).map { "  \($0.wording)" }
        }
        return Finding(
            kind: kind, subject: "events", type: .init("events"), message: message, range: missing.range,
            details: details)
    }
}
