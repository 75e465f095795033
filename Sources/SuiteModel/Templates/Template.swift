public import CEL
import Diagnostics

/// A scalar of the suite, compiled: text, one expression, or parts that are joined to text.
public enum Template: Sendable {
    /// Text without any `${…}`; `$${` is already unescaped.
    case constant(String)
    /// A scalar that is nothing but one `${…}`; its value keeps its type.
    case expression(EmbeddedExpression)
    /// Text and expressions, joined as text.
    case joined([Part])

    /// A piece of a joined template.
    public enum Part: Sendable {
        /// Text that stands as it is.
        case text(String)
        /// An expression whose value is joined as text.
        case expression(EmbeddedExpression)
    }

    /// The text of a template without expressions.
    public var constantText: String? {
        if case .constant(let text) = self { text } else { nil }
    }

    /// The template as it was written, so far as that is known: expressions stand in `${ }`.
    public var source: String {
        switch self {
        case .constant(let text): text
        case .expression(let embedded): "${\(embedded.expression.source)}"
        case .joined(let parts):
            parts.map { part in
                switch part {
                case .text(let text): text
                case .expression(let embedded): "${\(embedded.expression.source)}"
                }
            }.joined()
        }
    }

    /// The expressions of the template, in order.
    public var expressions: [EmbeddedExpression] {
        switch self {
        case .constant: []
        case .expression(let expression): [expression]
        case .joined(let parts):
            parts.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
        }
    }

    /// Renders the template as text.
    ///
    /// - Throws: ``TemplateError`` when an expression fails, or the text gets too long.
    public func text(in scope: some CELScope, context: CELContext) throws(TemplateError) -> String {
        switch self {
        case .constant(let text):
            return text
        case .expression(let expression):
            return try expression.value(in: scope, context: context).text
        case .joined(let parts):
            var budget = TemplateBudget(context.budget)
            return try Self.joined(parts, in: scope, context: context, budget: &budget)
        }
    }

    /// The text that parts are joined to.
    static func joined(
        _ parts: [Part], in scope: some CELScope, context: CELContext, budget: inout TemplateBudget
    ) throws(TemplateError) -> String {
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .expression(let expression):
                let text = try expression.value(in: scope, context: context).text
                try budget.take(text, from: expression)
                result += text
            }
        }
        return result
    }

    /// Evaluates the template, keeping the type of a sole expression.
    ///
    /// - Throws: ``TemplateError`` when an expression fails, or the text gets too long.
    public func value(in scope: some CELScope, context: CELContext) throws(TemplateError) -> CELValue {
        if case .expression(let expression) = self { return try expression.value(in: scope, context: context) }
        return .string(try text(in: scope, context: context))
    }
}
