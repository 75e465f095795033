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
