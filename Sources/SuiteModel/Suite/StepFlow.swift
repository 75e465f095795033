/// Whether, when and how often a step is done.
public struct StepFlow: Sendable {
    /// What must be true, or the step is skipped.
    public var condition: EmbeddedExpression?
    /// What the step waits for before it does anything, in nanoseconds.
    public var delay: Int64
    /// What the step polls for.
    public var until: UntilRule?
    /// What the step is done for, once each.
    public var forEach: ForEachRule?

    /// Creates the flow of a step that is simply done once.
    public init(
        condition: EmbeddedExpression? = nil, delay: Int64 = 0, until: UntilRule? = nil, forEach: ForEachRule? = nil
    ) {
        self.condition = condition
        self.delay = delay
        self.until = until
        self.forEach = forEach
    }
}
