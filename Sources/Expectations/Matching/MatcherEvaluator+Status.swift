import CEL
import JSON
import SuiteModel

extension MatcherEvaluator {
    /// A status that an expression gives, which means what it would mean written out: one, a class or range, or a list.
    func statusOperand(
        _ value: JSONValue, _ expression: EmbeddedExpression
    ) throws(TemplateError) -> JSONValue {
        guard case .array(let elements) = value, !elements.isEmpty else { return try status(value, expression) }
        var statuses: [JSONValue] = []
        statuses.reserveCapacity(elements.count)
        for element in elements { statuses.append(try status(element, expression)) }
        return .array(statuses)
    }

    private func status(_ value: JSONValue, _ expression: EmbeddedExpression) throws(TemplateError) -> JSONValue {
        if value.numberValue != nil { return value }
        if let range = value.stringValue.flatMap(StatusText.range(of:)) {
            return range.count == 1 ? .number(JSONNumber(range.lowerBound)) : value
        }
        throw TemplateError(
            message: "a status is written like 200, 2xx or 200-204, not \(ValueDescription.typed(value))",
            range: expression.range, expression: expression.expression.source)
    }

    /// Whether a value is what is expected; a status is so if it is in the class or range, or one of the list.
    func areEqual(_ value: JSONValue, _ expected: JSONValue, _ domain: Matcher.Domain) -> Bool {
        guard domain == .status, let code = value.numberValue?.int64 else { return areEqual(value, expected) }
        switch expected {
        case .string(let text): return StatusText.range(of: text)?.contains(Int(clamping: code)) == true
        case .array(let elements): return elements.contains { areEqual(value, $0, domain) }
        case .null, .bool, .number, .object: return areEqual(value, expected)
        }
    }
}
