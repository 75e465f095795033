import CEL
import SuiteModel

/// The check of an `if`.
enum ConditionCheck {
    /// What becomes of what has the condition.
    enum Result {
        /// It is done.
        case met
        /// It is skipped.
        case unmet(reason: String)
        /// The condition has no value, or one that is neither true nor false.
        case failed(Finding)
    }

    /// Evaluates a condition.
    static func result(
        _ condition: EmbeddedExpression, scope: some CELScope, context: CELContext
    ) -> Result {
        let source = condition.expression.source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        do {
            switch try condition.value(in: scope, context: context) {
            case .bool(true): return .met
            case .bool(false): return .unmet(reason: "if: \(source) is false")
            case let value:
                return .failed(
                    Finding(
                        kind: .error, subject: "if", type: "type",
                        message: "\(source) gives a value of type \(value.typeName), where true or false is needed",
                        range: condition.range))
            }
        } catch {
            return .failed(
                Finding(kind: .error, subject: "if", type: "expression", message: error.message, range: error.range))
        }
    }
}
