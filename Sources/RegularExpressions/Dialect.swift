extension RegularExpression {
    /// The syntax and the meaning a pattern is read with.
    public enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// ECMA-262 with the `u` flag: JSON Schema's `pattern` and the `matches` matcher.
        case ecmaScript

        /// The syntax of the RE2 library: the `matches` function of CEL.
        case re2

        /// I-Regexp (RFC 9485): the `match` and `search` functions of JSONPath.
        ///
        /// An unescaped `^` or `$` is an anchor, as the compliance test suite of RFC 9535 has it.
        case iRegexp
    }
}
