/// Why an expression has no value, and which part of it failed.
public struct CELEvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong: one sentence without a final full stop.
    public let message: String
    /// Where the part that failed begins in the expression, in Unicode scalars.
    public let offset: Int
    /// How long the part that failed is, in Unicode scalars; zero when it is not known.
    public let length: Int
    /// True when the budget ran out; such an error is not absorbed by `&&`, `||` and macros.
    public let isBudgetExceeded: Bool

    /// Makes an error; a scope leaves the place out, and the evaluation puts that of the variable in.
    public init(message: String, offset: Int = 0, length: Int = 0) {
        self.init(message: message, offset: offset, length: length, isBudgetExceeded: false)
    }

    init(message: String, offset: Int, length: Int, isBudgetExceeded: Bool) {
        self.message = message
        self.offset = offset
        self.length = length
        self.isBudgetExceeded = isBudgetExceeded
    }

    init(_ message: String, _ span: Span, isBudgetExceeded: Bool = false) {
        self.init(
            message: message, offset: Int(span.offset), length: Int(span.length),
            isBudgetExceeded: isBudgetExceeded)
    }

    /// The message.
    public var description: String { message }
}

/// Why an operation failed, before it is known where in the expression.
enum CELFailure: Error {
    case message(String)
    /// The operation is not defined for values of these types.
    case noOverload
    /// The evaluation went beyond its budget, which nothing absorbs.
    case budget(String)
}

/// Why a file could not be read for `file()`.
public struct CELFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason.
    public let description: String

    /// Makes an error of its reason.
    public init(_ reason: String) {
        description = reason
    }
}
