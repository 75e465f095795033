import RegularExpressions

/// A compiled I-Regexp (RFC 9485) of `match` and `search`.
struct PathPattern: Sendable {
    private let expression: RegularExpression

    /// Compiles a pattern; nil for a text that is no I-Regexp.
    init?(_ pattern: String) {
        guard let expression = try? RegularExpression(pattern, dialect: .iRegexp) else { return nil }
        self.expression = expression
    }

    func matches(_ text: String, whole: Bool) -> Bool {
        whole ? expression.matchesWhole(text) : expression.matches(text)
    }
}
