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

/// Tests by outcome.
public struct OutcomeCounts: Sendable, Hashable {
    /// Tests that passed.
    public var passed = 0
    /// Tests that passed only when they were tried again.
    public var flaky = 0
    /// Tests of which every finding is known.
    public var known = 0
    /// Tests with an expectation that does not hold.
    public var failed = 0
    /// Tests that got no answer or could not be evaluated.
    public var errored = 0
    /// Tests that were skipped.
    public var skipped = 0
    /// Tests whose dependency did not pass.
    public var blocked = 0

    /// Creates counts of zero.
    public init() {}

    /// All tests counted.
    public var total: Int { passed + flaky + known + failed + errored + skipped + blocked }

    /// Counts a test; of a setup or teardown only one that failed, since it fails the run.
    public mutating func count(_ result: TestResult) {
        if result.isCounted { count(result.outcome) }
    }

    /// Counts an outcome.
    public mutating func count(_ outcome: TestResult.Outcome) {
        switch outcome {
        case .passed: passed += 1
        case .flaky: flaky += 1
        case .known: known += 1
        case .failed: failed += 1
        case .errored: errored += 1
        case .skipped: skipped += 1
        case .blocked: blocked += 1
        }
    }
}

/// What a run lacks that is not whole: one that was interrupted or broke off, or of which a shard is missing.
public struct MissingTests: Sendable, Hashable {
    /// Tests that were to run and have no result, or one that was cut off, as far as that is known.
    public var notRun: Int
    /// The tests that the run was to have in all, as far as that is known.
    public var planned: Int
    /// What is wrong, each in a few words, such as `no record of shard 2/3`.
    public var reasons: [String]

    /// Creates a description of what is missing.
    ///
    /// - Parameter reasons: What is wrong beside the tests that did not run.
    public init(notRun: Int, planned: Int, reasons: [String] = []) {
        self.notRun = notRun
        self.planned = planned
        self.reasons = reasons
    }

    /// Tests that ran, or were skipped on purpose.
    public var done: Int { max(0, planned - notRun) }

    /// What is missing, as one sentence, such as `22 of 43 tests did not run`.
    public var message: String {
        var parts = reasons
        if notRun > 0 { parts.append("\(notRun) of \(planned) \(planned == 1 ? "test" : "tests") did not run") }
        return parts.isEmpty ? "the run is not whole" : parts.joined(separator: "; ")
    }
}
