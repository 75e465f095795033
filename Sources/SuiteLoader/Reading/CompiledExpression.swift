import CEL

/// An expression with what loading needs to know of it, kept so that equal texts are compiled once.
struct CompiledExpression {
    /// The expression.
    let expression: CELExpression
    /// The names that it uses.
    let references: [CELExpression.Reference]
    /// The files that it reads, as far as their paths are constant.
    let fileCalls: [FileCalls.Call]

    /// Compiles an expression.
    init(_ source: String) throws(CELSyntaxError) {
        expression = try CELExpression(source)
        references = expression.freeIdentifiers
        fileCalls = FileCalls.calls(in: source)
    }
}
