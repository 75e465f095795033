public import Basics

/// An error that occurs during evaluation, with the location of the failed part.
public struct CELEvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error: one sentence without a final period.
    public let message: MessageText
    /// The start of the failed part in the expression, in Unicode scalars.
    public let offset: Int
    /// The length of the failed part in Unicode scalars; zero if unknown.
    public let length: Int
    /// Whether the budget was exceeded. Unlike other errors, this one is not absorbed by `&&`, `||`, and macros.
    public let isBudgetExceeded: Bool
    /// Whether the failed part got a string where it needs another type, for example in a member access.
    public let isAtString: Bool
    /// Whether a variable has no value for a reason that was reported elsewhere.
    public let isUnavailable: Bool

    /// Creates an error. A scope omits the location, and the evaluation fills in that of the variable.
    public init(
        message: MessageText, offset: Int = 0, length: Int = 0, isAtString: Bool = false, isUnavailable: Bool = false
    ) {
        self.init(
            message: message, offset: offset, length: length, isBudgetExceeded: false, isAtString: isAtString,
            isUnavailable: isUnavailable)
    }

    init(
        message: MessageText, offset: Int, length: Int, isBudgetExceeded: Bool, isAtString: Bool, isUnavailable: Bool
    ) {
        self.message = message
        self.offset = offset
        self.length = length
        self.isBudgetExceeded = isBudgetExceeded
        self.isAtString = isAtString
        self.isUnavailable = isUnavailable
    }

    init(
        _ message: MessageText, _ span: Span, isBudgetExceeded: Bool = false, isAtString: Bool = false,
        isUnavailable: Bool = false
    ) {
        self.init(
            message: message, offset: Int(span.offset), length: Int(span.length),
            isBudgetExceeded: isBudgetExceeded, isAtString: isAtString, isUnavailable: isUnavailable)
    }

    /// The message.
    public var description: String { message.text }
}

/// An error of an operation, without its location in the expression.
enum CELFailure: Error {
    case message(MessageText, isAtString: Bool = false)
    /// The operation is not defined for operands of these types.
    case noOverload
    /// The evaluation exceeded its budget; no operator absorbs this error.
    case budget(MessageText)
}

/// An error that occurs when `file()` cannot read a file.
public struct CELFileError: MessageError, Sendable, Hashable {
    /// The reason.
    public let wording: MessageText

    /// Creates an error with a reason.
    public init(_ reason: MessageText) {
        wording = reason
    }
}
