import RegularExpressions

/// A compiled I-Regexp (RFC 9485) of `match` and `search`.
struct PathPattern: Sendable {
    private let expression: RegularExpression

    /// Compiles a pattern; nil for a text that is no I-Regexp.
    init?(_ pattern: String) {
        guard let expression = try? RegularExpression(pattern, dialect: .iRegexp) else { return nil }
        self.expression = expression
    }

    /// Whether a text matches; false, with `steps` below zero, when the answer takes more steps than are left.
    func matches(_ text: String, whole: Bool, steps: inout Int) -> Bool {
        do {
            return whole
                ? try expression.matchesWhole(text, steps: &steps) : try expression.matches(text, steps: &steps)
        } catch {
            return false
        }
    }
}
