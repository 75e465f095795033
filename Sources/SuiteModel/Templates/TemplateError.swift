public import Diagnostics

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
