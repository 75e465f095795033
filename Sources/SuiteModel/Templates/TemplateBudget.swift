import CEL
import JSON

/// What is left of what one evaluation of a template may make of the values that are put into it.
///
/// Without a bound, a few variables of which each holds the next one twice would fill the memory.
struct TemplateBudget {
    /// The elements of lists and maps that a value may have, those within one another included, as in an expression.
    static let maximumElements = 10_000_000

    private let maximumText: Int
    private var text: Int
    private var elements = Self.maximumElements

    /// Creates the budget of a template that is evaluated beside expressions with a budget.
    init(_ budget: CELBudget) {
        maximumText = budget.maximumMemory
        text = budget.maximumMemory
    }

    /// Counts a text that an expression gave.
    mutating func take(_ text: String, from expression: EmbeddedExpression) throws(TemplateError) {
        if !take(text) { throw exceeded(expression) }
    }

    /// Counts a value that an expression gave.
    mutating func take(_ value: JSONValue, from expression: EmbeddedExpression) throws(TemplateError) {
        if !take(value) { throw exceeded(expression) }
    }

    private mutating func take(_ text: String) -> Bool {
        self.text -= text.utf8.count
        return self.text >= 0
    }

    private mutating func take(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .number: return true
        case .string(let text): return take(text)
        case .array(let values):
            elements -= values.count
            guard elements >= 0 else { return false }
            for value in values where !take(value) { return false }
            return true
        case .object(let object):
            elements -= object.count
            guard elements >= 0 else { return false }
            for (name, value) in object {
                guard take(name), take(value) else { return false }
            }
            return true
        }
    }

    private func exceeded(_ expression: EmbeddedExpression) -> TemplateError {
        let isText = text < 0
        let size = maximumText.isMultiple(of: 1 << 20) ? "\(maximumText >> 20) MiB" : "\(maximumText) bytes"
        return TemplateError(
            message: isText
                ? "the value gets more than \(size) of text; put fewer or shorter texts into it"
                : "the value gets more than 10,000,000 elements; put fewer or shorter lists and maps into it",
            range: expression.range, expression: expression.expression.source)
    }
}
