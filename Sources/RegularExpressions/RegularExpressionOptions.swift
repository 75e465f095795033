public import Basics

extension RegularExpression {
    /// The options of a pattern, which correspond to flags that its syntax cannot express.
    public struct Options: OptionSet, Sendable, Hashable {
        /// The raw bits of the set.
        public let rawValue: UInt8

        /// Creates a set from its raw bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Case-insensitive matching with simple case folding (flag `i`).
        public static let caseInsensitive = Options(rawValue: 1 << 0)

        /// `^` and `$` also match at the start and end of each line (flag `m`).
        public static let multiline = Options(rawValue: 1 << 1)

        /// `.` also matches line breaks (flag `s`).
        public static let dotMatchesNewlines = Options(rawValue: 1 << 2)

        /// Quantifiers are lazy unless followed by `?` (flag `U` of RE2).
        public static let ungreedy = Options(rawValue: 1 << 3)
    }
}

extension RegularExpression {
    /// The syntax and semantics of a pattern.
    public enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// ECMA-262 with the `u` flag: JSON Schema's `pattern` and the `matches` matcher.
        case ecmaScript

        /// RE2: the `matches` function of CEL.
        case re2

        /// I-Regexp (RFC 9485): the `match` and `search` functions of JSONPath.
        ///
        /// An unescaped `^` or `$` is an anchor, as in the compliance test suite of RFC 9535.
        case iRegexp
    }
}

/// The error of an invalid pattern, with its location.
public struct RegularExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error, without a final period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText

    /// The start of the invalid part, in Unicode scalars of the pattern.
    public let offset: Int

    /// The length of the invalid part in Unicode scalars; 0 at the end of the pattern.
    public let length: Int

    /// Whether the pattern is valid, but too large after expanding its repetitions.
    public let isTooLarge: Bool

    /// Creates an error for a part of a pattern.
    public init(message: MessageText, offset: Int, length: Int, isTooLarge: Bool = false) {
        wording = message
        self.offset = offset
        self.length = length
        self.isTooLarge = isTooLarge
    }

    /// The message with the offset, for logs and tests.
    public var description: String { "\(message) (at \(offset))" }
}

/// The error of a search that was abandoned because it took too many steps; its result is unknown.
public struct RegularExpressionLimitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error and a hint, without a final period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText

    init(isBacktracking: Bool, steps: Int) {
        let count: MessageText = steps.isMultiple(of: 1_000_000) ? "\(steps / 1_000_000) million" : "\(steps)"
        let limit: MessageText = "the pattern took more than \(count) steps on this string"
        wording =
            isBacktracking
            ? limit + "; avoid lookaround, backreferences and nested repetitions,"
                + " or anchor it with ^"
            : limit + "; use smaller counts in braces"
    }

    /// The message.
    public var description: String { message }
}
