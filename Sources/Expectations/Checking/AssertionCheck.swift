import CEL
import Diagnostics
import JSON
import SuiteModel

/// The check of one expression that must be true.
enum AssertionCheck {
    /// The finding of an assertion, or nil when it is true.
    static func finding(_ assertion: EmbeddedExpression, scope: some CELScope, context: CELContext) -> Finding? {
        let expression = assertion.expression
        let value: CELValue
        let again = context.repeatable()
        do {
            value = try expression.evaluate(scope, context: context)
        } catch {
            return Finding(
                kind: .error, subject: "assert", type: "expression", message: "\(error.message): \(source(expression))",
                range: range(of: error, in: assertion),
                details: ExplanationText.lines(expression.explain(scope, context: again)))
        }
        if case .bool(true) = value { return nil }
        var finding = Finding(
            subject: "assert", type: "assert", message: "\(source(expression)) is false",
            actual: value.json.flatMap(ValueDescription.kept),
            range: assertion.range, details: ExplanationText.lines(expression.explain(scope, context: again)))
        guard case .bool = value else {
            finding.message =
                "\(source(expression)) gives \(ValueDescription.typed(value)), where true or false is needed"
            return finding
        }
        return finding
    }

    /// The expression in one line.
    private static func source(_ expression: CELExpression) -> String {
        expression.source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The place of the part that failed, when the expression stands in the suite as it is.
    private static func range(of error: CELEvaluationError, in assertion: EmbeddedExpression) -> SourceRange {
        guard error.length > 0, assertion.range.isOneLine,
            Int(assertion.range.end.column - assertion.range.start.column)
                == assertion.expression.source.unicodeScalars.count
        else { return assertion.range }
        return assertion.range.subrange(fromScalar: error.offset, toScalar: error.offset + error.length)
    }
}
