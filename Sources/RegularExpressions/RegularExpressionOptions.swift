extension RegularExpression {
    /// What a pattern's flags would say where the syntax has no place for them.
    public struct Options: OptionSet, Sendable, Hashable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// Makes a set from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Letters match whatever their case, by simple case folding (flag `i`).
        public static let caseInsensitive = Options(rawValue: 1 << 0)

        /// `^` and `$` match at every line's start and end too (flag `m`).
        public static let multiline = Options(rawValue: 1 << 1)

        /// `.` matches line breaks too (flag `s`).
        public static let dotMatchesNewlines = Options(rawValue: 1 << 2)

        /// Quantifiers are lazy unless followed by `?` (flag `U` of RE2).
        public static let ungreedy = Options(rawValue: 1 << 3)
    }
}

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

/// Why a pattern was refused, and where in the pattern the reason lies.
public struct RegularExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence without a final full stop.
    public let message: String

    /// Where the offending part starts, counted in Unicode scalars of the pattern.
    public let offset: Int

    /// How many Unicode scalars the offending part has; 0 at the end of the pattern.
    public let length: Int

    /// Whether the pattern is correct, and only too large to be matched once its repetitions are written out.
    public let isTooLarge: Bool

    /// Makes an error about a part of a pattern.
    public init(message: String, offset: Int, length: Int, isTooLarge: Bool = false) {
        self.message = message
        self.offset = offset
        self.length = length
        self.isTooLarge = isTooLarge
    }

    /// The message with the offset, for logs and tests.
    public var description: String { "\(message) (at \(offset))" }
}

/// Matching was given up because it took too long: the answer is not known.
public struct RegularExpressionLimitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence without a final full stop, with what to do.
    public let message: String

    init(isBacktracking: Bool, steps: Int) {
        let count = steps.isMultiple(of: 1_000_000) ? "\(steps / 1_000_000) million" : String(steps)
        let limit = "the pattern took more than \(count) steps on this text"
        message =
            isBacktracking
            ? limit + "; lookaround and back-references try one way after another, so write it without them, with"
                + " fewer repetitions inside of repetitions, or anchored with ^"
            : limit + "; write it with smaller counts in braces"
    }

    /// The message.
    public var description: String { message }
}
