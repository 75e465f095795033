import Expectations
import HTTPSession
import SuiteModel

/// Runs steps one after another in one scope, up to the first that fails and does not say to go on.
struct StepSequence {
    let runner: TestRunner
    var test: SuiteTest
    let suite: SuiteRun
    /// The suite's index in the run.
    let suiteIndex: Int
    var scope: TestScope
    var jar: CookieJar
    /// The test's snapshots; nil when its suite compares none.
    var snapshots: TestSnapshots?
    /// The calls that lead to the steps.
    var frame = CallFrame()

    /// What the steps came to.
    struct Outcome {
        /// The verdict on all of them: the gravest.
        var outcome = TestResult.Outcome.passed
        /// The steps that ran or were given up, in order.
        var steps: [TestResult.Step] = []
        /// How many exchanges were made.
        var exchanges = 0
        /// What was wrong in the first step that did not pass.
        var findings: [Finding] = []
        /// The exchange of that step.
        var failedExchange: Exchange?
        /// The test that made a shared call which did not pass, when a step needs that call.
        var blockedBy: String?
        /// Whether a step did not pass on its own account.
        var hasOwnFailure = false

        /// The verdict in a report: blocked when nothing but a shared call is to blame.
        var verdict: TestResult.Outcome {
            if !hasOwnFailure, let blockedBy { .blocked(by: blockedBy) } else { outcome }
        }
    }

    /// Runs the steps.
    func run(_ steps: [SuiteStep]) async -> Outcome {
        var total = Outcome()
        total.steps.reserveCapacity(steps.count)
        var failedStep: String?
        for step in steps {
            let name = frame.prefix + Self.name(of: step, in: test)
            if let failedStep {
                total.steps.append(
                    TestResult.Step(
                        name: name, outcome: .skipped(reason: "\(failedStep) failed"), range: step.range))
                continue
            }
            let result = await run(step, name: name)
            add(result, to: &total)
            // A test that needs a shared call which did not pass cannot go on without it.
            let goesOn = step.continuesAfterFailure && result.blockedBy == nil
            if result.step.outcome.isFailure, !goesOn { failedStep = result.step.name }
        }
        return total
    }

    /// Runs one step.
    private func run(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        switch step.action {
        case .exchange(let request):
            let exchange = StepRunner(
                runner: runner, test: test, suite: suite, suiteIndex: suiteIndex, scope: scope, jar: jar,
                spec: runner.options.completed(request.value), name: name, snapshots: snapshots, frame: frame)
            return await exchange.run(step)
        case .call(let call):
            return await FragmentRunner(sequence: self, call: call, name: name).run(step)
        }
    }

    private func add(_ result: StepRunner.Outcome, to total: inout Outcome) {
        total.exchanges += result.exchanges
        let outcome = result.step.outcome
        if outcome == .errored || (outcome == .failed && !total.outcome.isFailure)
            || (outcome == .flaky && total.outcome == .passed)
        {
            total.outcome = outcome
        }
        if outcome.isFailure, total.failedExchange == nil {
            total.failedExchange = result.exchange
            total.findings = result.step.findings
        }
        if outcome.isFailure {
            if let blockedBy = result.blockedBy {
                total.blockedBy = total.blockedBy ?? blockedBy
            } else {
                total.hasOwnFailure = true
            }
        }
        total.steps += result.called ?? [result.step]
    }

    /// What reports call a step: its name, the test's for a single exchange, otherwise its request line as written.
    private static func name(of step: SuiteStep, in test: SuiteTest) -> String {
        if let name = step.name { return name }
        guard test.hasSteps else { return test.name }
        switch step.action {
        case .exchange(let request): return "\(request.value.method) \(request.value.url.source)"
        case .call(let call): return call.fragment.name
        }
    }
}
