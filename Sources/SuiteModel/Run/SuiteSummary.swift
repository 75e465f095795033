/// How a suite ended.
public struct SuiteSummary: Sendable {
    /// The suite's index in the run, from 0.
    public var suite: Int
    /// Tests by outcome.
    public var counts: OutcomeCounts
    /// Nanoseconds from the suite's start to its end.
    public var duration: Int64
    /// Tests that were to run and did not, since the run was interrupted or broke off.
    public var notRun = 0
    /// True when the suite's server ended by itself.
    public var hasServerError = false

    /// Creates a summary.
    public init(suite: Int, counts: OutcomeCounts, duration: Int64) {
        self.suite = suite
        self.counts = counts
        self.duration = duration
    }
}
