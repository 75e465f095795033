import RegularExpressions

/// A pattern, a text, and the expected first match with its groups.
struct MatchCase: Sendable, CustomStringConvertible {
    var pattern: String
    var dialect: RegularExpression.Dialect
    var options: RegularExpression.Options = []
    var text: String

    /// The UTF-8 offset of the match; `nil` if there is none.
    var start: Int?

    /// The entire match and the groups.
    var groups: [String?] = []

    var description: String { "\(dialect) \(pattern) on \(text)" }

    static func ecma(_ pattern: String, _ text: String, at start: Int? = nil, _ groups: String?...) -> MatchCase {
        MatchCase(pattern: pattern, dialect: .ecmaScript, text: text, start: start, groups: groups)
    }

    static func ecma(
        _ pattern: String, options: RegularExpression.Options, _ text: String, at start: Int? = nil,
        _ groups: String?...
    ) -> MatchCase {
        MatchCase(
            pattern: pattern, dialect: .ecmaScript, options: options, text: text, start: start, groups: groups)
    }

    static func re2(_ pattern: String, _ text: String, at start: Int? = nil, _ groups: String?...) -> MatchCase {
        MatchCase(pattern: pattern, dialect: .re2, text: text, start: start, groups: groups)
    }

    static func iRegexp(_ pattern: String, _ text: String, at start: Int? = nil, _ groups: String?...) -> MatchCase {
        MatchCase(pattern: pattern, dialect: .iRegexp, text: text, start: start, groups: groups)
    }
}
