import Diagnostics
import SuiteModel
import YAML

/// Reads `until`.
struct UntilReader {
    /// What the readers share.
    let context: LoadContext
    private let expectations: ExpectReader
    private let flow: FlowReader

    /// Creates a reader.
    init(_ context: LoadContext) {
        self.context = context
        expectations = ExpectReader(context)
        flow = FlowReader(context)
    }

    /// The rule that a status or a map is.
    func rule(_ node: YAMLNode, _ key: YAMLNode) -> UntilRule {
        let phase = context.phase
        defer { context.phase = phase }
        var rule = UntilRule(expectations: ExpectationSet(isDefault: false), range: key.range)
        guard node.kind == .mapping else {
            context.phase = .expectation
            rule.expectations.status = expectations.status(node)
            return rule
        }
        var maximum: YAMLNode?
        let found = MapReader(context, UntilKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .every: flow.positiveDuration(value, keyNode).map { rule.every = $0 }
            case .within: flow.positiveDuration(value, keyNode).map { rule.within = $0 }
            case .backoff: context.choice(value, RetryRule.Backoff.self).map { rule.backoff = $0 }
            case .maxDelay:
                maximum = keyNode
                flow.positiveDuration(value, keyNode).map { rule.maximumDelay = $0 }
            case .abort:
                rule.abort = abort(value)
                rule.abortRange = keyNode.range
            default:
                read(key.rawValue, value, into: &rule.expectations)
            }
        }
        let hasExpectation = AbortKey.allCases.contains { UntilKey(rawValue: $0.rawValue).map(found.contains) == true }
        // A key that is not known was probably meant to be an expectation.
        if !hasExpectation, found.bits.nonzeroBitCount == node.mapping?.count ?? 0 {
            context.report(
                "missing-key", "\"until\" needs something to wait for", key.range,
                suggestion: "add for example \"status: 200\" or \"json: { $.state: done }\"")
        }
        if let maximum, rule.maximumDelay < rule.every {
            context.report("invalid-duration", "\"maxDelay\" is shorter than \"every\"", maximum.range)
        }
        rule.maximumDelay = max(rule.maximumDelay, rule.every)
        return rule
    }

    private func abort(_ node: YAMLNode) -> ExpectationSet {
        var set = ExpectationSet(isDefault: false)
        guard node.kind == .mapping else {
            context.phase = .expectation
            set.status = expectations.status(node)
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
            context.phase = .expectation
            expectations.read(key, value, into: &set)
        } else {
            context.phase = .response
            set.assertions = AssertReader(context).assertions(value)
        }
    }
}
