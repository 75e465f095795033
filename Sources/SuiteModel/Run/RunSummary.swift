public import OpenAPI

/// How a run ended.
public struct RunSummary: Sendable {
    /// Tests by outcome.
    public var counts: OutcomeCounts
    /// Exchanges that were sent.
    public var exchanges: Int
    /// Nanoseconds from the run's start to its end.
    public var duration: Int64
    /// True when a signal stopped the run.
    public var wasInterrupted: Bool
    /// What the run lacks; nil for one that is whole.
    public var missing: MissingTests?
    /// True when a server that a suite starts could not be started, or ended by itself.
    public var hasServerError: Bool
    /// True when a snapshot's file could not be written or removed.
    public var hasSnapshotError = false
    /// True when less of a contract was covered than the run was asked to cover.
    public var hasLowCoverage = false

    /// The arguments that a part of the run is repeated with.
    public var repeatArguments = RepeatArguments()

    /// What of each OpenAPI description the run has exercised.
    public var coverages: [ContractCoverage] = []

    /// Creates a summary.
    public init(
        counts: OutcomeCounts, exchanges: Int, duration: Int64, wasInterrupted: Bool = false,
        hasServerError: Bool = false
    ) {
        self.counts = counts
        self.exchanges = exchanges
        self.duration = duration
        self.wasInterrupted = wasInterrupted
        self.hasServerError = hasServerError
    }

    /// Whether a test did not pass, or something beside the tests failed the run.
    public var hasFailed: Bool {
        counts.failed + counts.errored + counts.blocked > 0 || hasServerError || hasSnapshotError || hasLowCoverage
            || missing != nil
    }
}

/// The arguments of the program that a part of the run is repeated with.
public struct RepeatArguments: Sendable, Hashable {
    /// The paths of suites, as they were given.
    public var paths: [String]
    /// The options without which the tests would run otherwise, such as the environment, each with its value.
    public var options: [String]

    /// Creates arguments.
    public init(paths: [String] = [], options: [String] = []) {
        self.paths = paths
        self.options = options
    }
}
