/// Fixed bounds of the parser and the evaluator.
enum CELLimits {
    /// How deep an expression may be nested, in brackets as well as in chains of operators or selections.
    static let depth = 250
    /// The longest expression, in bytes.
    static let sourceLength = 1 << 20
    /// Comparing values nested deeper than this is an error, so that it needs a bounded stack.
    static let valueDepth = 1_000
    /// Values of more elements than this have no JSON: an expression can put one list into another many times.
    static let jsonElements = 10_000_000
    /// A value's text in messages ends here, in bytes.
    static let shownLength = 100_000
    /// A value's text in the middle of a message ends here, in characters.
    static let briefLength = 72
    /// Lists and maps nested deeper than this are shown as `[…]` and `{…}`.
    static let shownDepth = 64
}
