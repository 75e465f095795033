public import CEL
public import Diagnostics

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
            throw TemplateError(message: error.message, range: range, expression: expression.source)
        }
    }
}
