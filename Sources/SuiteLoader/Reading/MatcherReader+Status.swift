import JSON
import SuiteModel
import YAML

extension MatcherReader {
    /// What a scalar or a list says of a status: that it is this one, or one of these.
    func statusOperator(_ node: YAMLNode) -> Matcher.Operator {
        guard let sequence = node.sequence else { return .equals(status(node)) }
        if sequence.isEmpty { context.report("invalid-status", "a list of statuses needs at least one", node.range) }
        return .oneOf(sequence.map(status))
    }

    /// An operand that is a status: a number, the text of a class or a range, or an expression.
    ///
    /// Any other operand equals no status, so that `not` would always hold; it is reported.
    func status(_ node: YAMLNode) -> ValueTemplate {
        let value = templates.value(node)
        switch value {
        case .template: return value
        case .constant(.number(let number)):
            if let code = number.int64, code >= 100, code <= 999 { return value }
        case .constant(.string(let text)):
            if let range = StatusText.range(of: text) {
                return range.count == 1 ? .constant(.number(JSONNumber(range.lowerBound))) : value
            }
        default:
            context.reportType(node, expected: "a status", suggestion: Self.statusAdvice)
            return value
        }
        context.report(
            "invalid-status", "\"\(node.scalar?.text ?? "")\" is no status", node.range, suggestion: Self.statusAdvice)
        return value
    }

    private static var statusAdvice: String { "write for example 200, 2xx or 200-204" }
}
