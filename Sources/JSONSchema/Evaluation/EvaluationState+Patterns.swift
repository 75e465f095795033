import RegularExpressions

extension EvaluationState {
    /// Whether a pattern matches a text; the work is paid for, and a pattern that takes too much of it ends the
    /// evaluation.
    @inline(__always)
    mutating func matches(_ expression: RegularExpression, _ text: String) -> Bool {
        var steps = RegularExpression.maximumSteps
        do {
            let result = try expression.matches(text, steps: &steps)
            // A step of a pattern is less work than one of a schema.
            spend((RegularExpression.maximumSteps - steps) >> 4)
            return result
        } catch {
            spend(.max)
            return true
        }
    }
}
