public import Basics
public import CEL
public import Diagnostics
import JSON

/// A compiled scalar of the suite: constant text, a single expression, or a mixture of both.
public enum Template: Sendable {
    /// Text without any `${…}`; `$${` is already unescaped.
    case constant(String)
    /// A scalar that consists of a single `${…}`; the value keeps its type.
    case expression(EmbeddedExpression)
    /// Text and expressions, concatenated as a string.
    case joined([Part])

    /// A part of a joined template.
    public enum Part: Sendable {
        /// Literal text.
        case text(String)
        /// An expression whose value is converted to a string.
        case expression(EmbeddedExpression)
    }

    /// The text of a template without expressions; nil for any other.
    public var constantText: String? {
        if case .constant(let text) = self { text } else { nil }
    }

    /// The source of the template, as far as it is known, with expressions in `${ }`.
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

    /// Renders the template as a string.
    ///
    /// - Throws: ``TemplateError`` when an expression fails or the string is too long.
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

    /// Renders the template as a string; nil if it is a single expression whose value is null or an absent optional.
    ///
    /// - Throws: ``TemplateError`` when an expression fails or the string is too long.
    public func textUnlessNull(in scope: some CELScope, context: CELContext) throws(TemplateError) -> String? {
        guard case .expression(let expression) = self else { return try text(in: scope, context: context) }
        let value = try expression.value(in: scope, context: context)
        return value.isMissing ? nil : value.text
    }

    /// Returns the concatenation of the parts.
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

    /// Evaluates the template; a single expression keeps its type.
    ///
    /// - Throws: ``TemplateError`` when an expression fails or the string is too long.
    public func value(in scope: some CELScope, context: CELContext) throws(TemplateError) -> CELValue {
        if case .expression(let expression) = self { return try expression.value(in: scope, context: context) }
        return .string(try text(in: scope, context: context))
    }
}

extension CELValue {
    /// Whether the value is null or an absent optional.
    public var isMissing: Bool {
        switch self {
        case .null: true
        case .optional(let optional): optional.value == nil
        default: false
        }
    }
}

/// A compiled CEL expression and its location in the suite.
public struct EmbeddedExpression: Sendable {
    /// The compiled expression.
    public let expression: CELExpression
    /// The source range of the expression, without the enclosing `${` and `}`.
    public let range: SourceRange

    /// Creates an embedded expression.
    public init(_ expression: CELExpression, range: SourceRange) {
        self.expression = expression
        self.range = range
    }

    /// Evaluates the expression.
    ///
    /// - Throws: ``TemplateError`` with the source range of the failed subexpression.
    public func value(in scope: some CELScope, context: CELContext) throws(TemplateError) -> CELValue {
        do {
            return try expression.evaluate(scope, context: context)
        } catch {
            throw TemplateError(
                message: error.message, range: location(from: error.offset, length: error.length),
                expression: expression.source, isAtString: error.isAtString, isUnavailable: error.isUnavailable)
        }
    }

    /// Returns the source range of a part of the expression, if the expression is written verbatim in the file.
    ///
    /// - Parameters:
    ///   - offset: The start of the part, in Unicode scalars.
    ///   - length: The length of the part in Unicode scalars; zero if unknown.
    /// - Returns: The range of the part, otherwise the range of the whole expression.
    private func location(from offset: Int, length: Int) -> SourceRange {
        // A different width means that scalars are escaped or folded, or that the range covers more than the
        // expression.
        let width = Int(range.end.column) - Int(range.start.column)
        guard length > 0, range.isOneLine, width == expression.source.unicodeScalars.count else { return range }
        return range.subrange(fromScalar: offset, toScalar: offset + length)
    }
}

/// A variable of a `variables` mapping, whose expressions are evaluated on first use in a scope.
public struct Variable: Sendable {
    /// The name of the variable.
    public var name: String
    /// The value of the variable.
    public var value: ValueTemplate
    /// The source range of the name.
    public var range: SourceRange

    /// Creates a variable.
    public init(name: String, value: ValueTemplate, range: SourceRange) {
        self.name = name
        self.value = value
        self.range = range
    }
}

/// An error that occurs when an expression of the suite fails while the suite runs.
public struct TemplateError: Error, Sendable {
    /// The description of the error: one sentence without a final period.
    public var message: MessageText
    /// The source range of the expression.
    public var range: SourceRange
    /// The expression as written.
    public var expression: String
    /// Whether the expression got a string where it needs another type, for example in a member access.
    public var isAtString: Bool
    /// Whether a variable of the expression has no value for a reason that was reported elsewhere.
    public var isUnavailable: Bool

    /// Creates an error.
    public init(
        message: MessageText, range: SourceRange, expression: String, isAtString: Bool = false,
        isUnavailable: Bool = false
    ) {
        self.message = message
        self.range = range
        self.expression = expression
        self.isAtString = isAtString
        self.isUnavailable = isUnavailable
    }
}

/// The remaining budget for values that one evaluation of a template may insert.
///
/// Without a limit, a few variables that each contain the next one twice could exhaust the memory.
struct TemplateBudget {
    /// The maximum number of elements of a value, including nested ones; the same limit applies to an expression.
    static let maximumElements = 10_000_000

    private let maximumText: Int
    private var text: Int
    private var elements = Self.maximumElements

    /// Creates a budget with the limits of an expression budget.
    init(_ budget: CELBudget) {
        maximumText = budget.maximumMemory
        text = budget.maximumMemory
    }

    /// Deducts the size of a string that an expression returned.
    mutating func take(_ text: String, from expression: EmbeddedExpression) throws(TemplateError) {
        if !take(text) { throw exceeded(expression) }
    }

    /// Deducts the size of a value that an expression returned.
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
                ? "the value exceeds \(size) of text; insert fewer or shorter strings"
                : "the value exceeds 10,000,000 elements; insert fewer or shorter arrays and objects",
            range: expression.range, expression: expression.expression.source)
    }
}
