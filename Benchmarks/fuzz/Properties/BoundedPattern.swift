import RegularExpressions

/// A pattern whose searches may take only a small number of steps.
struct BoundedPattern: CustomStringConvertible {
    private static let maximumSteps = 200_000

    let expression: RegularExpression

    init(_ expression: RegularExpression) {
        self.expression = expression
    }

    var description: String { "\(expression.dialect) \(expression.pattern.debugDescription)" }

    /// Returns another pattern with the same dialect and options, or nil if it cannot be compiled.
    func variant(_ pattern: String) -> BoundedPattern? {
        (try? RegularExpression(pattern, dialect: expression.dialect, options: expression.options))
            .map(BoundedPattern.init)
    }

    func matches(_ text: String) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        return try expression.matches(text, steps: &steps)
    }

    func matchesWhole(_ text: String) throws(RegularExpressionLimitError) -> Bool {
        var steps = Self.maximumSteps
        return try expression.matchesWhole(text, steps: &steps)
    }

    func firstMatch(in text: String) throws(RegularExpressionLimitError) -> RegularExpression.Match? {
        var steps = Self.maximumSteps
        return try expression.firstMatch(in: text, steps: &steps)
    }
}
