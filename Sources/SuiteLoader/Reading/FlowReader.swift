import CEL
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads what decides whether and when a test or step is done: `if`, `delay`, `timeout`.
struct FlowReader {
    /// What the readers share.
    let context: LoadContext

    /// Creates a reader.
    init(_ context: LoadContext) {
        self.context = context
    }

    /// The condition that a boolean or an expression is, or nil when it is none, which is reported.
    func condition(_ node: YAMLNode) -> EmbeddedExpression? {
        let templates = TemplateReader(context)
        if case .bool(let isMet)? = node.scalar?.value {
            return templates.embedded(isMet ? "true" : "false", in: node, at: 0, hasPlace: false)
        }
        guard let condition = templates.bareExpression(node, what: "a condition") else { return nil }
        if let type = condition.expression.knownTypeName, type != "bool" {
            context.report(
                "invalid-condition", "a condition is true or false, and this one gives \(type)", condition.range,
                suggestion: "compare the value with another one, as in \"x == 1\"")
        }
        return condition
    }

    /// The nanoseconds of a duration that is not zero; what is wrong is reported and gives nil.
    func positiveDuration(_ node: YAMLNode, _ key: YAMLNode) -> Int64? {
        guard let duration = context.duration(node) else { return nil }
        if duration > 0 { return duration }
        context.report(
            "invalid-duration", "\"\(key.scalar?.text ?? "")\" is longer than zero", node.range)
        return nil
    }
}
