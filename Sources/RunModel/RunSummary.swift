/// The summary of a finished run.
public struct RunSummary: Sendable {
    /// The number of tests by outcome.
    public var counts: OutcomeCounts
    /// The number of exchanges that were sent.
    public var exchanges: Int
    /// The duration of the run, in nanoseconds.
    public var duration: Int64
    /// Whether a signal interrupted the run.
    public var wasInterrupted: Bool
    /// The tests that are missing from the run; nil if it is complete.
    public var missing: MissingTests?
    /// Whether a server of a suite could not be started or exited on its own.
    public var hasServerError: Bool
    /// Whether a snapshot file could not be written or removed.
    public var hasSnapshotError = false
    /// Whether the contract coverage is below the required minimum.
    public var hasLowCoverage = false

    /// The arguments that repeat a part of the run.
    public var repeatArguments = RepeatArguments()

    /// The coverage of each OpenAPI description.
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

    /// Whether the run failed, because a test did not pass or because of an error outside of the tests.
    public var hasFailed: Bool {
        counts.failed + counts.errored + counts.blocked > 0 || hasServerError || hasSnapshotError || hasLowCoverage
            || missing != nil
    }
}

/// The command-line arguments that repeat a part of a run.
public struct RepeatArguments: Sendable, Hashable {
    /// The paths of suites, as passed by the user.
    public var paths: [String]
    /// The options that affect how tests run, such as the environment, each with its value.
    public var options: [String]

    /// Creates arguments.
    public init(paths: [String] = [], options: [String] = []) {
        self.paths = paths
        self.options = options
    }
}

/// The summary of a finished suite.
public struct SuiteSummary: Sendable {
    /// The index of the suite in the run, from 0.
    public var suite: Int
    /// The number of tests by outcome.
    public var counts: OutcomeCounts
    /// The duration of the suite, in nanoseconds.
    public var duration: Int64
    /// The number of tests that did not run because the run was interrupted or aborted.
    public var notRun = 0
    /// Whether the server of the suite exited on its own.
    public var hasServerError = false

    /// Creates a summary.
    public init(suite: Int, counts: OutcomeCounts, duration: Int64) {
        self.suite = suite
        self.counts = counts
        self.duration = duration
    }
}

/// The numbers of tests by outcome.
public struct OutcomeCounts: Sendable, Hashable {
    /// The number of tests that passed.
    public var passed = 0
    /// The number of tests that passed only after a retry.
    public var flaky = 0
    /// The number of tests whose findings are all known.
    public var known = 0
    /// The number of tests with a failed expectation.
    public var failed = 0
    /// The number of tests that got no response or could not be evaluated.
    public var errored = 0
    /// The number of tests that were skipped.
    public var skipped = 0
    /// The number of tests whose dependency did not pass.
    public var blocked = 0

    /// Creates counts that are all zero.
    public init() {}

    /// The number of all tests.
    public var total: Int { passed + flaky + known + failed + errored + skipped + blocked }

    /// Counts a test. A setup or teardown is counted only if it failed, because its failure fails the run.
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

/// The tests that are missing from a run that was interrupted or aborted, or that lacks a shard.
public struct MissingTests: Sendable, Hashable {
    /// The number of tests without a result, or with one that was cut short, as far as it is known.
    public var notRun: Int
    /// The total number of planned tests, as far as it is known.
    public var planned: Int
    /// The reasons besides tests that did not run, such as `no record of shard 2/3`.
    public var reasons: [String]

    /// Creates a description of missing tests.
    ///
    /// - Parameters:
    ///   - notRun: The number of tests without a complete result.
    ///   - planned: The total number of planned tests.
    ///   - reasons: The reasons besides tests that did not run.
    public init(notRun: Int, planned: Int, reasons: [String] = []) {
        self.notRun = notRun
        self.planned = planned
        self.reasons = reasons
    }

    /// The number of tests that ran or were skipped on purpose.
    public var done: Int { max(0, planned - notRun) }

    /// A description of the missing tests in one sentence, such as `22 of 43 tests did not run`.
    public var message: String {
        var parts = reasons
        if notRun > 0 { parts.append("\(notRun) of \(planned) \(planned == 1 ? "test" : "tests") did not run") }
        return parts.isEmpty ? "the run is incomplete" : parts.joined(separator: "; ")
    }
}
