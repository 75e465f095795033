import CEL
import Expectations
import HTTPSession
import SuiteModel

/// Runs one test: renders each step's request, sends it, checks the exchange, and captures from it.
struct TestRunner: Sendable {
    let plan: TestPlan
    let suites: [SuiteRun]
    let session: Session
    let dispatcher: Dispatcher
    let options: RunOptions
    let contexts: ContextFactory
    let files: FileAccess
    let start: Int64

    /// Runs the test and hands its result to the dispatcher.
    func run(_ index: Int) async {
        let entry = plan.tests[index]
        let suite = suites[entry.suite]
        let test = suite.suite.tests[entry.test]
        let began = options.clock.now()
        let scope = scope(of: entry, test: test, suite: suite)
        let jar = CookieJar()
        var steps: [TestResult.Step] = []
        steps.reserveCapacity(test.steps.count)
        var outcome = TestResult.Outcome.passed
        var exchanges = 0
        var failedStep: String?
        for step in test.steps {
            if let failedStep {
                steps.append(
                    TestResult.Step(
                        name: StepRunner.name(of: step, in: test), outcome: .skipped(reason: "\(failedStep) failed"),
                        range: step.range))
                continue
            }
            let runner = StepRunner(runner: self, test: test, suite: suite, scope: scope, jar: jar)
            let result = await runner.run(step)
            exchanges += result.wasSent ? 1 : 0
            steps.append(result.step)
            if result.step.outcome == .errored || (result.step.outcome == .failed && outcome == .passed) {
                outcome = result.step.outcome
            }
            if result.step.outcome.isFailure && !step.continuesAfterFailure { failedStep = result.step.name }
        }
        if Task.isCancelled && outcome != .passed {
            outcome = .skipped(reason: "interrupted while it ran")
            steps = []
        }
        let isNeeded = !plan.dependents[index].isEmpty && outcome == .passed
        dispatcher.finish(
            index,
            result: TestResult(
                test: entry.reference, outcome: outcome, steps: steps, start: began - start,
                duration: options.clock.now() - began),
            captures: isNeeded ? scope.captured : nil, exchanges: exchanges)
    }

    private func scope(of entry: TestPlan.Entry, test: SuiteTest, suite: SuiteRun) -> TestScope {
        var inherited: [(name: String, value: CELValue)] = []
        var exchanges: [(name: String, exchange: CELValue)] = []
        for edge in entry.edges {
            switch edge.reason {
            case .capture(let name):
                if let value = dispatcher.captures(of: edge.test)?.value(of: name) { inherited.append((name, value)) }
            case .exchange(let id):
                if let exchange = dispatcher.captures(of: edge.test)?.exchange { exchanges.append((id, exchange)) }
            case .needs, .order:
                break
            }
        }
        return TestScope(
            test: test, suite: suite, inherited: inherited,
            tests: exchanges.isEmpty ? nil : TestScope.map(exchanges),
            context: contexts.context(for: entry, folder: suite.suite.folder))
    }
}
