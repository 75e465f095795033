public import CEL
public import Diagnostics
import JSON

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

/// A compiled CEL expression together with its place in the suite.
public struct EmbeddedExpression: Sendable {
    /// The compiled expression.
    public let expression: CELExpression
    /// The expression's text in the file, without the enclosing `${` and `}`.
    public let range: SourceRange

    /// Creates an embedded expression.
    public init(_ expression: CELExpression, range: SourceRange) {
        self.expression = expression
        self.range = range
    }

    /// Evaluates the expression.
    ///
    /// - Throws: ``TemplateError`` with the place of the failing sub-expression.
    public func value(in scope: some CELScope, context: CELContext) throws(TemplateError) -> CELValue {
        do {
            return try expression.evaluate(scope, context: context)
        } catch {
            throw TemplateError(
                message: error.message, range: place(from: error.offset, length: error.length),
                expression: expression.source)
        }
    }

    /// The place of a part of the expression, as far as the file shows the expression as it is.
    ///
    /// - Parameters:
    ///   - offset: The number of Unicode scalars before the part.
    ///   - length: The number of Unicode scalars of the part; zero when it is not known.
    private func place(from offset: Int, length: Int) -> SourceRange {
        // Where the width differs, the scalar is escaped or folded, or the range is that of more than the expression.
        let width = Int(range.end.column) - Int(range.start.column)
        guard length > 0, range.isOneLine, width == expression.source.unicodeScalars.count else { return range }
        return range.subrange(fromScalar: offset, toScalar: offset + length)
    }
}

/// A named value of a `variables` map; its expressions are evaluated when it is first read in a scope.
public struct Variable: Sendable {
    /// The variable's name.
    public var name: String
    /// Its value.
    public var value: ValueTemplate
    /// The place of its name.
    public var range: SourceRange

    /// Creates a variable.
    public init(name: String, value: ValueTemplate, range: SourceRange) {
        self.name = name
        self.value = value
        self.range = range
    }
}

/// An expression of the suite that could not be evaluated while the suite ran.
public struct TemplateError: Error, Sendable {
    /// What went wrong, as one sentence without a final full stop.
    public var message: String
    /// The expression's place in the suite.
    public var range: SourceRange
    /// The expression as written.
    public var expression: String

    /// Creates an error.
    public init(message: String, range: SourceRange, expression: String) {
        self.message = message
        self.range = range
        self.expression = expression
    }
}

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
