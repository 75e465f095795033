/// A token of JavaScript (ECMA-262, section 12).
struct JSToken: Sendable, Hashable {
    /// The kinds of tokens, with their values.
    enum Kind: Sendable, Hashable {
        /// An identifier or a keyword.
        case name(String)
        /// A number as a JSON number, such as `31` for `0x1F`.
        case number(String)
        /// A string without its quotes and escapes.
        case string(String)
        /// A template: its texts, and the ranges of its substitutions between them.
        case template([String], [Range<Int>])
        /// A regular expression: its pattern and its flags.
        case regularExpression(String, flags: String)
        /// An operator or another punctuator.
        case punctuator(String)
        /// The end of the text.
        case end
    }

    /// The kind.
    var kind: Kind
    /// The range in the bytes of the script.
    var range: Range<Int>
    /// Whether a line ends before the token, which may end a statement.
    var isAfterNewline: Bool
}

/// A part of a script that is not in the supported subset of JavaScript.
struct JSSyntaxError: Error, Sendable, Hashable {
    /// The offset in bytes.
    var offset: Int
}
