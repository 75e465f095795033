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
