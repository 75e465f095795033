/// A condition on a position that consumes nothing.
enum Assertion: UInt8, Sendable, Hashable {
    case textStart
    case textEnd

    /// After a line feed or at the start.
    case lineStart

    /// Before a line feed or at the end.
    case lineEnd

    /// As `lineStart` with all of ECMA-262's line terminators.
    case ecmaScriptLineStart

    /// As `lineEnd` with all of ECMA-262's line terminators.
    case ecmaScriptLineEnd

    /// Between an ASCII word character and something else.
    case wordBoundary
    case notWordBoundary

    /// As `wordBoundary`, with the long s and the Kelvin sign as word characters (ECMA-262 with `i` and `u`).
    case foldedWordBoundary
    case notFoldedWordBoundary

    /// Whether one byte before and one after the position decide.
    var isDecidedByAdjacentBytes: Bool {
        switch self {
        case .textStart, .textEnd, .lineStart, .lineEnd, .wordBoundary, .notWordBoundary: true
        case .ecmaScriptLineStart, .ecmaScriptLineEnd, .foldedWordBoundary, .notFoldedWordBoundary: false
        }
    }
}
