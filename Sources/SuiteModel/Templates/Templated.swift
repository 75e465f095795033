public import Basics
public import CEL
public import Diagnostics
import JSON

/// A setting of a suite: a value that is known while loading, or one that expressions determine while the suite runs.
///
/// Settings without expressions are compiled once, and reading them costs nothing.
public enum Templated<Value: Sendable>: Sendable {
    /// A value without expressions.
    case constant(Value)
    /// A value that is computed whenever it is needed.
    case computed(Formula<Value>)

    /// The value, if it is known while loading.
    public var known: Value? {
        if case .constant(let value) = self { value } else { nil }
    }

    /// The setting as written, if it contains expressions.
    public var template: String? {
        if case .computed(let formula) = self { formula.source } else { nil }
    }

    /// Returns the value.
    ///
    /// - Throws: ``TemplateError`` if an expression fails, or its value is not allowed here.
    public func value(in scope: some CELScope, context: CELContext) throws(TemplateError) -> Value {
        switch self {
        case .constant(let value): value
        case .computed(let formula): try formula.value(scope, context)
        }
    }
}

/// The computation of a setting from the values of expressions.
///
/// A class, so that the setting takes as little space as a constant.
public final class Formula<Value: Sendable>: Sendable {
    /// A function that evaluates the expressions and converts their values.
    public typealias Function = @Sendable (any CELScope, CELContext) throws(TemplateError) -> Value

    /// The setting as written.
    public let source: String
    fileprivate let value: Function

    fileprivate init(source: String, _ value: @escaping Function) {
        self.source = source
        self.value = value
    }
}

/// An error that occurs when the value of an expression is not allowed for a setting.
public struct InvalidSetting: Error, Sendable, Hashable {
    /// The description of the error: one sentence without a final period.
    public var message: MessageText

    /// Creates an error.
    public init(_ message: MessageText) {
        self.message = message
    }

    /// Creates an error for a value that does not meet a requirement.
    ///
    /// - Parameters:
    ///   - requirement: The requirement as a sentence: `"times" must be an integer`.
    ///   - value: The value of the expression.
    public init(_ requirement: MessageText, got value: CELValue) {
        let shown: MessageText
        if case .duration(let duration) = value {
            shown = "\(duration) (duration)"
        } else {
            shown =
                value.json.map { ValueDescription.typed($0, named: value.typeName) }
                ?? "a value of type \(MessageText(words: value.typeName))"
        }
        message = "\(requirement), got \(shown)"
    }
}

extension Templated {
    /// Creates a setting from a template.
    ///
    /// - Parameters:
    ///   - template: The template.
    ///   - range: The source range of the template.
    ///   - convert: A closure that converts the value of the template, or throws the reason why it is not allowed.
    public init(
        _ template: Template, range: SourceRange,
        convert: @escaping @Sendable (CELValue) throws(InvalidSetting) -> Value
    ) {
        let expressions = template.expressions
        let location = expressions.count == 1 ? expressions.first?.range ?? range : range
        self = .computing(template.source) { scope, context throws(TemplateError) in
            let value = try template.value(in: scope, context: context)
            do throws(InvalidSetting) {
                return try convert(value)
            } catch {
                throw TemplateError(message: error.message, range: location, expression: template.source)
            }
        }
    }

    /// Returns a setting that a function computes.
    ///
    /// - Parameters:
    ///   - source: The setting as written.
    ///   - function: A function that evaluates the expressions and converts their values.
    public static func computing(_ source: String, _ function: @escaping Formula<Value>.Function) -> Templated {
        .computed(Formula(source: source, function))
    }

    /// Sets a part of the value to that of another setting.
    public mutating func set<Part: Sendable>(
        _ part: Templated<Part>, _ assign: @escaping @Sendable (inout Value, Part) -> Void
    ) {
        if case .constant(var value) = self, case .constant(let known) = part {
            assign(&value, known)
            self = .constant(value)
            return
        }
        let whole = self
        self = .computing(part.template ?? template ?? "") { scope, context throws(TemplateError) in
            var value = try whole.value(in: scope, context: context)
            assign(&value, try part.value(in: scope, context: context))
            return value
        }
    }

    /// Checks or completes the value once all of its parts are known.
    ///
    /// - Parameters:
    ///   - range: The source range of errors in a value that is not known yet.
    ///   - change: A closure that changes the value, or throws the reason why it is not allowed.
    /// - Throws: ``InvalidSetting`` if the value is known and not allowed.
    public mutating func finish(
        at range: SourceRange, _ change: @escaping @Sendable (inout Value) throws(InvalidSetting) -> Void
    ) throws(InvalidSetting) {
        if case .constant(var value) = self {
            try change(&value)
            self = .constant(value)
            return
        }
        let whole = self
        let source = template ?? ""
        self = .computing(source) { scope, context throws(TemplateError) in
            var value = try whole.value(in: scope, context: context)
            do throws(InvalidSetting) {
                try change(&value)
            } catch {
                throw TemplateError(message: error.message, range: range, expression: source)
            }
            return value
        }
    }
}

extension Templated: Equatable where Value: Equatable {
    /// Whether two settings are known and equal, or the same computation.
    public static func == (first: Self, second: Self) -> Bool {
        switch (first, second) {
        case (.constant(let first), .constant(let second)): first == second
        case (.computed(let first), .computed(let second)): first === second
        case (.constant, .computed), (.computed, .constant): false
        }
    }
}

extension Templated: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Creates a constant.
    public init(integerLiteral value: Value.IntegerLiteralType) {
        self = .constant(Value(integerLiteral: value))
    }
}

extension Templated: ExpressibleByUnicodeScalarLiteral where Value == String {
    /// Creates a constant.
    public init(unicodeScalarLiteral value: String) {
        self = .constant(value)
    }
}

extension Templated: ExpressibleByExtendedGraphemeClusterLiteral where Value == String {
    /// Creates a constant.
    public init(extendedGraphemeClusterLiteral value: String) {
        self = .constant(value)
    }
}

extension Templated: ExpressibleByStringLiteral where Value == String {
    /// Creates a constant.
    public init(stringLiteral value: String) {
        self = .constant(value)
    }
}
