public import Diagnostics

/// What a step polls for, how often, and for how long.
public struct UntilRule: Sendable {
    /// What must hold of an answer, so that polling ends.
    public var expectations: ExpectationSet
    /// What an answer must not be: polling fails at once when all of it holds.
    public var abort: ExpectationSet?
    /// The place of the key `abort`.
    public var abortRange: SourceRange?
    /// The wait between an answer and the next request, in nanoseconds.
    public var every: Int64
    /// How long is polled, in nanoseconds.
    public var within: Int64
    /// How the wait grows.
    public var backoff: RetryRule.Backoff
    /// The longest wait, in nanoseconds.
    public var maximumDelay: Int64
    /// The place of the key.
    public var range: SourceRange

    /// Creates a rule.
    public init(
        expectations: ExpectationSet, abort: ExpectationSet? = nil, every: Int64 = 1_000_000_000,
        within: Int64 = 60_000_000_000, backoff: RetryRule.Backoff = .constant,
        maximumDelay: Int64 = 60_000_000_000, range: SourceRange
    ) {
        self.expectations = expectations
        self.abort = abort
        self.every = every
        self.within = within
        self.backoff = backoff
        self.maximumDelay = maximumDelay
        self.range = range
    }
}
