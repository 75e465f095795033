import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads `retry`.
struct RetryReader {
    /// What the readers share.
    let context: LoadContext

    /// Words that `on` knows beside statuses.
    private static let words = ["timeout", "connect", "expect"]

    /// Creates a reader.
    init(_ context: LoadContext) {
        self.context = context
    }

    /// The rule that a node is: a number of retries, or a map. Null is a rule without retries.
    func rule(_ node: YAMLNode) -> Boxed<RetryRule>? {
        if node.isNull { return Boxed(RetryRule(times: 0)) }
        if node.kind != .mapping { return times(node).map { Boxed(RetryRule(times: $0)) } }
        var rule = RetryRule(times: 0)
        var keys: [RetryKey: YAMLNode] = [:]
        MapReader(context, RetryKey.schema).read(node) { key, keyNode, value in
            keys[key] = keyNode
            switch key {
            case .times: times(value).map { rule.times = $0 }
            case .delay: context.duration(value).map { rule.delay = $0 }
            case .backoff: context.choice(value, RetryRule.Backoff.self).map { rule.backoff = $0 }
            case .jitter: jitter(value).map { rule.jitter = $0 }
            case .maxDelay: context.duration(value).map { rule.maximumDelay = $0 }
            case .on: rule.conditions = conditions(value)
            case .honourRetryAfter: rule.honoursRetryAfter = value.isTrue
            }
        }
        if keys[.delay] == nil {
            if let backoff = keys[.backoff], rule.backoff == .exponential {
                context.report(
                    "missing-key", "an exponential backoff needs a \"delay\" to grow from", backoff.range,
                    suggestion: "add for example \"delay: 500ms\"")
            } else if let jitter = keys[.jitter], rule.jitter > 0 {
                context.report(
                    "missing-key", "\"jitter\" needs a \"delay\" to vary", jitter.range,
                    suggestion: "add for example \"delay: 500ms\"")
            }
        } else if let maximum = keys[.maxDelay], rule.maximumDelay < rule.delay {
            context.report(
                "invalid-duration", "\"maxDelay\" is shorter than \"delay\"", maximum.range,
                related: [Diagnostic.Related(message: "the delay is here", range: keys[.delay]?.range)])
        }
        // A delay that is longer than the standard limit is meant as it is.
        if keys[.maxDelay] == nil { rule.maximumDelay = max(rule.maximumDelay, rule.delay) }
        return Boxed(rule)
    }

    private func times(_ node: YAMLNode) -> Int? {
        if case .number(let number)? = node.scalar?.value, let count = number.int64, (0...100).contains(count) {
            return Int(count)
        }
        context.report("invalid-retry", "retries are a whole number up to 100", node.range)
        return nil
    }

    private func jitter(_ node: YAMLNode) -> Double? {
        switch node.scalar?.value {
        case .bool(let isFull): return isFull ? 1 : 0
        case .number(let number):
            let value = number.double
            if value >= 0, value <= 1 { return value }
        default: break
        }
        context.report("invalid-retry", "\"jitter\" is a number from 0 to 1", node.range)
        return nil
    }

    private func conditions(_ node: YAMLNode) -> [RetryRule.Condition] {
        if let sequence = node.sequence, sequence.isEmpty {
            context.report("invalid-retry", "\"on\" needs at least one condition", node.range)
        }
        return (node.sequence.map(Array.init) ?? [node]).compactMap(condition)
    }

    private func condition(_ node: YAMLNode) -> RetryRule.Condition? {
        guard let scalar = node.scalar, !NodeForms(of: scalar).isDisjoint(with: [.number, .string]) else {
            context.reportType(node, expected: "a status or a word")
            return nil
        }
        switch scalar.text {
        case "timeout": return .timeout
        case "connect": return .connect
        case "expect": return .expect
        default: break
        }
        if let range = StatusText.range(of: scalar.text) { return .status(range) }
        context.report(
            "unknown-value", "unknown condition \"\(scalar.text)\"", node.range,
            suggestion: Spelling.suggestion(for: scalar.text, among: Self.words)
                ?? "write a status such as 429 or 5xx, or timeout, connect or expect")
        return nil
    }
}
