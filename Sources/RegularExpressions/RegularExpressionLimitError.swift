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
