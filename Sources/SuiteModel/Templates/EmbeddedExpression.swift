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
