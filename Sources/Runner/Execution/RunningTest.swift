import SuiteModel

/// A test that is under way: what its attempts and steps share, behind one reference, as it is handed through every call
/// that can wait.
final class RunningTest: Sendable {
    /// The test's entry in the plan.
    let entry: TestPlan.Entry
    /// The test as its suite has it.
    let test: SuiteTest
    /// The test's suite.
    let suite: SuiteRun
    /// The end of the test's time; nil when that is not limited.
    let deadline: TestDeadline?
    /// The test's responses; nil when a run neither records their shapes nor holds them against locks.
    let responses: TestResponses?

    /// Begins a test: its time runs from now on.
    init(_ entry: TestPlan.Entry, of suites: [SuiteRun], clock: RunClock, responses: TestResponses?) {
        self.entry = entry
        self.responses = responses
        suite = suites[entry.suite]
        test = suite.suite.tests[entry.test]
        deadline = test.timeout.map { TestDeadline(limit: $0, clock: clock) }
    }
}
