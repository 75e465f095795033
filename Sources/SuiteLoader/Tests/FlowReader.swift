import Basics
import CEL
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads the control flow of tests and steps: `if`, `skip`, `delay`, and `timeout`.
struct FlowReader {
    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns a condition from a Boolean or an expression; reports an error and returns nil for any other value.
    func condition(_ node: YAMLNode) -> EmbeddedExpression? {
        let templates = TemplateReader(context)
        if case .bool(let isMet)? = node.scalar?.value {
            return templates.embedded(isMet ? "true" : "false", in: node, at: 0, hasLocation: false)
        }
        guard let condition = templates.bareExpression(node, what: "a condition") else { return nil }
        if let type = condition.expression.knownTypeName, type != "bool" {
            context.report(
                "invalid-condition", "a condition must be true or false, got an expression of type \(type)",
                condition.range,
                suggestion: "compare the value, as in \"x == 1\"")
        }
        return condition
    }

    /// Returns the reason why a test or a step is skipped, which may be empty; nil if it is not skipped.
    func skip(_ node: YAMLNode) -> String? {
        if node.form == .string { return TemplateReader(context).constant(node, what: "a reason") }
        return node.isTrue ? "" : nil
    }

    /// Returns an expected failure from a reason or a mapping; reports an error and returns nil without a reason.
    func expectedFailure(_ node: YAMLNode, _ key: YAMLNode) -> ExpectedFailure? {
        let templates = TemplateReader(context)
        var failure = ExpectedFailure(reason: "", range: key.range)
        if node.kind == .mapping {
            var hasReason = false
            MapReader(context, XfailKey.schema).read(node) { key, _, value in
                switch key {
                case .reason:
                    hasReason = true
                    failure.reason = templates.constant(value, what: "a reason")
                case .strict: failure.isStrict = value.isTrue
                case .if: failure.condition = condition(value)
                }
            }
            // A missing reason is already reported.
            if !hasReason { return nil }
        } else {
            failure.reason = templates.constant(
                node, what: "a reason",
                suggestion: "write the reason, and the condition under \"if\": { reason: …, if: … }")
        }
        if !failure.reason.isEmpty { return failure }
        context.report(
            "missing-reason", "\"xfail\" needs a reason", node.range,
            suggestion: "for example, write \"xfail: umlauts are lost (#12)\"")
        return nil
    }
}

/// Reads `until`.
struct UntilReader {
    /// The shared state of the readers.
    let context: LoadContext
    private let expectations: ExpectReader
    private let subject: ExpectKey.Subject
    private let phase: NameUse.Phase

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - subject: The subject of the expectations.
    ///   - phase: The phase of the assertions; that of a request if there is no response.
    init(_ context: LoadContext, of subject: ExpectKey.Subject = .response, phase: NameUse.Phase = .response) {
        self.context = context
        self.subject = subject
        self.phase = phase
        expectations = ExpectReader(context, of: subject)
    }

    /// Returns the rule of a status or a mapping.
    func rule(_ node: YAMLNode, _ key: YAMLNode) -> UntilRule {
        var rule = UntilRule(expectations: ExpectationSet(isDefault: false), range: key.range)
        guard node.kind == .mapping else {
            expectations.read(node, into: &rule.expectations) { _ in }
            return rule
        }
        var pace = Templated.constant(UntilRule.Pace(within: nil))
        func duration(
            _ node: YAMLNode, _ key: YAMLNode, _ assign: @escaping @Sendable (inout UntilRule.Pace, Int64) -> Void
        ) {
            if let duration = context.duration(node, key, isPositive: true) { pace.set(duration, assign) }
        }
        var maximum: YAMLNode?
        let found = MapReader(context, UntilKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .every: duration(value, keyNode) { $0.every = $1 }
            case .within: duration(value, keyNode) { $0.within = $1 }
            case .times:
                if let times = context.count(value, named: key.rawValue, 1...UntilRule.maximumTimes) {
                    pace.set(times) { $0.times = $1 }
                }
            case .backoff:
                if let backoff = context.choice(value, RetryRule.Backoff.self) {
                    pace.set(.constant(backoff)) { $0.backoff = $1 }
                }
            case .maxDelay:
                maximum = keyNode
                duration(value, keyNode) { $0.maximumDelay = $1 }
            case .abort:
                rule.abort = abort(value)
                rule.abortRange = keyNode.range
            default:
                read(key.rawValue, value, into: &rule.expectations)
            }
        }
        let hasExpectation = AbortKey.allCases.contains { UntilKey(rawValue: $0.rawValue).map(found.contains) == true }
        // An unknown key was probably meant to be an expectation.
        if !hasExpectation, found.bits.nonzeroBitCount == node.mapping?.count ?? 0 {
            context.report(
                "missing-key", "\"until\" needs a condition", key.range,
                suggestion: subject == .command
                    ? "for example, add \"exit: 0\" or \"text: { contains: done }\""
                    : "for example, add \"status: 200\" or \"json: { $.state: done }\"")
        }
        let hasMaximum = maximum != nil
        do {
            try pace.finish(at: maximum?.range ?? key.range) { pace throws(InvalidSetting) in
                if hasMaximum, pace.maximumDelay < pace.every {
                    throw InvalidSetting("\"maxDelay\" is shorter than \"every\"")
                }
                pace.maximumDelay = max(pace.maximumDelay, pace.every)
                if pace.times == nil, pace.within == nil { pace.within = UntilRule.standardLimit }
            }
        } catch {
            context.report("invalid-duration", error.message, maximum?.range)
        }
        rule.pace = pace
        return rule
    }

    /// Returns the rule of a group, which has no response; reports conditions on one.
    func groupRule(_ node: YAMLNode, _ key: YAMLNode) -> UntilRule {
        guard let mapping = node.mapping else {
            reportResponse("until", key.range)
            return UntilRule(expectations: ExpectationSet(isDefault: false), range: key.range)
        }
        for (key, value) in mapping {
            guard let name = key.scalar?.text else { continue }
            if name == UntilKey.abort.rawValue {
                checkAbort(value, key)
            } else if AbortKey(rawValue: name) != nil, name != AbortKey.assert.rawValue {
                reportResponse(name, key.range)
            }
        }
        return rule(node, key)
    }

    private func checkAbort(_ node: YAMLNode, _ key: YAMLNode) {
        guard let mapping = node.mapping else { return reportResponse("abort", key.range) }
        for (key, _) in mapping where key.scalar?.text != AbortKey.assert.rawValue {
            if let name = key.scalar?.text, AbortKey(rawValue: name) != nil { reportResponse(name, key.range) }
        }
    }

    private func reportResponse(_ name: String, _ range: SourceRange) {
        context.report(
            "conflicting-keys", "\"\(name)\" applies to a response, but a group of steps has none", range,
            suggestion: "write \"assert\" with the captures of the steps")
    }

    private func abort(_ node: YAMLNode) -> ExpectationSet {
        var set = ExpectationSet(isDefault: false)
        guard node.kind == .mapping else {
            expectations.read(node, into: &set) { _ in }
            return set
        }
        if node.mapping?.isEmpty == true {
            context.report("missing-key", "\"abort\" needs an expectation", node.range)
        }
        MapReader(context, AbortKey.schema).read(node) { key, _, value in read(key.rawValue, value, into: &set) }
        return set
    }

    private func read(_ name: String, _ value: YAMLNode, into set: inout ExpectationSet) {
        if let key = ExpectKey(rawValue: name) {
            expectations.read(key, value, into: &set)
        } else {
            set.assertions = AssertReader(context, phase: phase).assertions(value)
        }
    }
}

/// Reads `retry`.
struct RetryReader {
    /// The shared state of the readers.
    let context: LoadContext

    /// The values of `on` besides statuses.
    private static let words = ["timeout", "connect", "expect"]

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the rule of a node: a number of retries, or a mapping. Null is a rule without retries.
    func rule(_ node: YAMLNode) -> Templated<RetryRule>? {
        if node.isNull { return .constant(RetryRule(times: 0)) }
        if node.form == .string, !ExpressionScan.mayHoldExpression(node) {
            context.report(
                "wrong-type", "\"retry\" must be \(TestKey.retryKind.phrase), got \(node.typeDescription)", node.range)
            return nil
        }
        if node.kind != .mapping {
            return times(node).map { times in
                var rule = Templated.constant(RetryRule(times: 0))
                rule.set(times) { $0.times = $1 }
                return rule
            }
        }
        var constants = RetryRule(times: 0)
        var parts: [(RetryKey, Templated<Int64>)] = []
        var count: Templated<Int>?
        var keys: [RetryKey: YAMLNode] = [:]
        MapReader(context, RetryKey.schema).read(node) { key, keyNode, value in
            keys[key] = keyNode
            switch key {
            case .times: count = times(value)
            case .delay, .maxDelay: context.duration(value, keyNode).map { parts.append((key, $0)) }
            case .backoff: context.choice(value, RetryRule.Backoff.self).map { constants.backoff = $0 }
            case .jitter: jitter(value).map { constants.jitter = $0 }
            case .on: constants.conditions = conditions(value)
            case .honourRetryAfter: constants.honorsRetryAfter = value.isTrue
            }
        }
        var rule = Templated.constant(constants)
        if let count { rule.set(count) { $0.times = $1 } }
        for (key, duration) in parts {
            rule.set(duration) { if key == .delay { $0.delay = $1 } else { $0.maximumDelay = $1 } }
        }
        if keys[.delay] == nil {
            if let backoff = keys[.backoff], constants.backoff == .exponential {
                context.report(
                    "missing-key", "an exponential backoff needs a \"delay\" to grow from", backoff.range,
                    suggestion: "for example, add \"delay: 500ms\"")
            } else if let jitter = keys[.jitter], constants.jitter > 0 {
                context.report(
                    "missing-key", "\"jitter\" needs a \"delay\" to vary", jitter.range,
                    suggestion: "for example, add \"delay: 500ms\"")
            }
        }
        let maximum = keys[.maxDelay]
        let hasMaximum = maximum != nil
        do {
            try rule.finish(at: maximum?.range ?? node.range) { rule throws(InvalidSetting) in
                if hasMaximum, rule.maximumDelay < rule.delay {
                    throw InvalidSetting("\"maxDelay\" is shorter than \"delay\"")
                }
                // A delay longer than the default maximum raises the maximum.
                rule.maximumDelay = max(rule.maximumDelay, rule.delay)
            }
        } catch {
            context.report(
                "invalid-duration", error.message, maximum?.range,
                related: [Diagnostic.Related(message: "the delay is here", range: keys[.delay]?.range)])
        }
        return rule
    }

    private func times(_ node: YAMLNode) -> Templated<Int>? {
        context.count(node, named: "retry", 0...100, id: "invalid-retry")
    }

    private func jitter(_ node: YAMLNode) -> Double? {
        switch node.scalar?.value {
        case .bool(let isFull): return isFull ? 1 : 0
        case .number(let number):
            let value = number.double
            if value >= 0, value <= 1 { return value }
        default: break
        }
        context.report("invalid-retry", "\"jitter\" must be a number from 0 to 1", node.range)
        return nil
    }

    private func conditions(_ node: YAMLNode) -> [RetryRule.Condition] {
        if let sequence = node.sequence, sequence.isEmpty {
            context.report("invalid-retry", "\"on\" needs at least one condition", node.range)
        }
        return node.listed.compactMap(condition)
    }

    private func condition(_ node: YAMLNode) -> RetryRule.Condition? {
        guard let scalar = node.scalar, !NodeForms(of: scalar).isDisjoint(with: [.number, .string]) else {
            context.reportType(node, expected: "a status, \"timeout\", \"connect\" or \"expect\"")
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
