import Diagnostics
import JSON
import JSONSchema
import SuiteModel

extension MatcherEvaluator {
    /// `schema`: the first violation in the message, the others in the details.
    func schemaCheck(_ value: JSONValue, _ schema: CompiledSchema, _ operation: Matcher.Operation) -> Mismatch? {
        // Text without types of its own may say a number, `true`, `false` or `null`.
        if let said = saidValue(value), schema.schema.isValid(said) { return nil }
        let violations = schema.schema.violations(of: value)
        guard let first = violations.first else { return nil }
        if let limit = violations.last, limit.kind == .limit {
            // Nothing is known of the value, so that `not` does not hold either.
            return Mismatch(
                kind: .error, type: operation.operator.keyword, message: limit.message, range: operation.range)
        }
        guard explains else { return silent(operation) }
        let report = SchemaReport(schema: schema, root: root, range: operation.range)
        return Mismatch(
            type: operation.operator.keyword, message: report.sentence(first), actual: value,
            range: report.place(of: first),
            details: report.details(of: first) + report.lines(violations.dropFirst(), most: SchemaReport.most - 1))
    }

    /// What text without types says, when that is no text.
    private func saidValue(_ value: JSONValue) -> JSONValue? {
        guard subjectKind == .text, case .string(let text) = value else { return nil }
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: return JSONNumber(literal: text).map(JSONValue.number)
        }
    }
}
