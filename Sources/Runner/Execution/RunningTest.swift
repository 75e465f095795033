import Basics
import SuiteModel

/// The limits of a test, with all expressions evaluated.
struct TestLimits {
    /// The time limit of the whole test, in nanoseconds.
    var timeout: Int64?
    /// The retry rule; nil if the test must not be retried.
    var retry: RetryRule?
}

/// A running test: the state shared by its attempts and steps.
///
/// A class, because it is passed through every asynchronous call.
final class RunningTest: Sendable {
    /// The test's entry in the plan.
    let entry: TestPlan.Entry
    /// The test's suite.
    let suite: SuiteRun
    /// The test's view of the other tests.
    let environment: any TestEnvironment
    /// The test's limits.
    let limits: TestLimits
    /// The test's deadline; nil without a time limit.
    let deadline: TestDeadline?
    /// The event loop that the test runs on.
    let executor: any TaskExecutor
    /// The test's responses; nil if the run neither records response locks nor checks them.
    let responses: TestResponses?

    /// Creates a running test and starts its time limit.
    init(
        _ entry: TestPlan.Entry, of suites: [SuiteRun], in environment: any TestEnvironment, limits: TestLimits,
        clock: RunClock, executor: any TaskExecutor, responses: TestResponses?
    ) {
        self.entry = entry
        self.environment = environment
        self.limits = limits
        self.executor = executor
        self.responses = responses
        suite = suites[entry.suite]
        deadline = limits.timeout.map { TestDeadline(limit: $0, clock: clock) }
    }

    /// The test as defined in its suite, without a copy, which would count references to all of its parts.
    var test: SuiteTest {
        @inline(__always) _read { yield suite.suite.tests[entry.test] }
    }

    /// The steps of the test without those of its cleanup.
    var body: ArraySlice<SuiteStep> { test.steps.dropLast(test.cleanupCount) }

    /// Whether the test has a cleanup.
    var hasCleanup: Bool { test.cleanupCount > 0 }

    /// Whether reports contain every exchange of the test.
    var isVerbose: Bool { test.isVerbose }
}
