import CEL
import Expectations
import HTTPSession
import SuiteModel

/// Runs steps one after another in one scope, up to the first that fails and does not say to go on.
///
/// Behind a reference, as it is handed through every call that can wait.
final class StepSequence {
    let runner: TestRunner
    /// The test that is under way.
    let running: RunningTest
    /// What holds the steps: the test, or what stands for it in a fragment.
    let test: SuiteTest
    let scope: TestScope
    let jar: CookieJar
    /// The test's snapshots; nil when its suite compares none.
    let snapshots: TestSnapshots?
    /// The calls that lead to the steps.
    let frame: CallFrame

    init(
        runner: TestRunner, running: RunningTest, test: SuiteTest, scope: TestScope, jar: CookieJar,
        snapshots: TestSnapshots?, frame: CallFrame
    ) {
        self.runner = runner
        self.running = running
        self.test = test
        self.scope = scope
        self.jar = jar
        self.snapshots = snapshots
        self.frame = frame
    }

    /// The test's suite.
    var suite: SuiteRun { running.suite }
    /// The suite's index in the run.
    var suiteIndex: Int { running.entry.suite }
    /// The end of the test's time, when that is limited.
    var deadline: TestDeadline? { running.deadline }

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
        /// The last exchange of a fragment's steps, whatever reports keep; a test's steps have no use for it.
        var lastExchange: Exchange?
        /// The test that made a shared call which did not pass, when a step needs that call.
        var blockedBy: String?
        /// Whether a step did not pass on its own account.
        var hasOwnFailure = false
        /// Whether a step did not pass in a way that ends the test.
        var endsTest = false

        /// The verdict in a report: blocked when nothing but a shared call is to blame.
        var verdict: TestResult.Outcome {
            if !hasOwnFailure, let blockedBy { .blocked(by: blockedBy) } else { outcome }
        }
    }

    /// Runs the steps.
    nonisolated(nonsending) func run(_ steps: [SuiteStep]) async -> Outcome {
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
            if let rule = step.flow?.value.forEach {
                failedStep = await runLoop(step, rule, name: name, into: &total)
                continue
            }
            let result = await runInTime(step, name: name)
            add(result, to: &total)
            guard result.step.outcome.isFailure else { continue }
            scope.noteFailedCaptures(of: step, name: name)
            if !goesOn(after: result, of: step) { failedStep = result.step.name }
        }
        // A call has not failed when none of its steps was to be done.
        if total.outcome == .passed, frame.prefix.isEmpty { total.outcome = Self.skip(of: total.steps) ?? .passed }
        return total
    }

    /// Whether what follows a step that did not pass is done all the same.
    ///
    /// What a contract or a lock finds does not end a test, as the response may be used all the same. Of a teardown every step is done: what one could not clear away, another one may. Any other test that needs a shared
    /// call which did not pass cannot go on without it.
    func goesOn(after result: StepRunner.Outcome, of step: SuiteStep) -> Bool {
        if !result.endsTest, result.blockedBy == nil { return deadline?.hasExpired != true }
        let mayGoOn = test.kind == .teardown || (step.continuesAfterFailure && result.blockedBy == nil)
        return mayGoOn && deadline?.hasExpired != true
    }

    /// Runs one step, unless the test's time is up; what it came to says so when that has ended it.
    nonisolated(nonsending) func runInTime(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        let start = runner.options.clock.now()
        var result = await runWithinDeadline(step, name: name)
        result.step.start = start - runner.start
        switch result.step.outcome {
        case .skipped, .blocked: break
        // What it waited for before its first attempt is part of it.
        case .passed, .flaky, .known, .failed, .errored: result.step.duration = runner.options.clock.now() - start
        }
        return result
    }

    private nonisolated(nonsending) func runWithinDeadline(_ step: SuiteStep, name: String) async -> StepRunner.Outcome
    {
        guard let deadline else { return await run(step, name: name) }
        if deadline.hasExpired {
            return outcome(.errored, of: step, name: name, findings: [deadline.findingBeforeStep(range: step.range)])
        }
        deadline.beginStep()
        var result = await run(step, name: name)
        guard deadline.hasExpired, !result.step.outcome.isSuccess else { return result }
        var place = result.step.findings.first?.range ?? step.range
        if let cutOff = result.step.findings.first(where: { $0.type == Finding.cutOffType }) {
            deadline.note(.check(cutOff.subject))
            place = cutOff.range ?? place
        }
        let finding = deadline.finding(range: place)
        if result.exchange?.failure?.kind == "cancelled" {
            result.step.findings = []
            result.step.exchange?.failure?.kind = finding.type
            result.step.exchange?.failure?.message = finding.message
        }
        // What a WebSocket was cut off at, it was cut off by the end of the time.
        result.step.findings.removeAll { $0.type == "cancelled" || $0.type == Finding.cutOffType }
        result.step.findings.insert(finding, at: 0)
        result.step.outcome = .errored
        // A step of a call that was cut off says so itself.
        if let called = result.called, !called.contains(where: \.outcome.isFailure) {
            result.called = called + [result.step]
        }
        return result
    }

    /// Runs one step, if its condition is met.
    nonisolated(nonsending) func run(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        scope.begin(step)
        if let skipped = skipWithoutCaptures(step, name: name) { return skipped }
        if let flow = step.flow?.value, let early = await prepare(step, flow, name: name) { return early }
        switch step.action {
        case .exchange(let request):
            return await StepRunner(self, spec: runner.options.completed(request.value), name: name).run(step)
        case .call(let call):
            return await FragmentRunner(
                sequence: self, call: call, name: name, path: frame.path + (step.name ?? call.fragment.name)
            ).run(step)
        }
    }

    /// What becomes of a step that uses what was never captured; nil when everything is there.
    ///
    /// Asked before any expression of the step is evaluated: one that uses the capture fails, or takes for it the type of
    /// CEL that has its name.
    func skipWithoutCaptures(_ step: SuiteStep, name: String) -> StepRunner.Outcome? {
        guard let missing = step.uncertainCaptures.first(where: { !scope.knows($0) }) else { return nil }
        return outcome(.skipped(reason: "\"\(missing)\" was not captured"), of: step, name: name)
    }

    /// Looks at the step's condition and waits for its delay.
    ///
    /// - Returns: what the step came to when it is not to be done.
    private nonisolated(nonsending) func prepare(_ step: SuiteStep, _ flow: StepFlow, name: String) async -> StepRunner
        .Outcome?
    {
        if let condition = flow.condition {
            switch ConditionCheck.result(condition, scope: scope.view(.step), context: scope.context) {
            case .met: break
            case .unmet(let reason): return outcome(.skipped(reason: reason), of: step, name: name)
            case .failed(let finding): return outcome(.errored, of: step, name: name, findings: [finding])
            }
        }
        guard flow.delay > 0 else { return nil }
        deadline?.note(.delay)
        do {
            try await runner.options.clock.sleep(flow.delay)
            deadline?.note(.answer)
            return nil
        } catch {
            return outcome(.errored, of: step, name: name)
        }
    }

    /// What a step came to that has sent nothing.
    func outcome(
        _ outcome: TestResult.Outcome, of step: SuiteStep, name: String, findings: [Finding] = []
    ) -> StepRunner.Outcome {
        StepRunner.Outcome(
            step: TestResult.Step(name: name, outcome: outcome, findings: findings, range: step.range), exchange: nil,
            exchanges: 0)
    }

    /// The outcome of steps none of which was done; nil when one was.
    private static func skip(of steps: [TestResult.Step]) -> TestResult.Outcome? {
        guard let first = steps.first else { return nil }
        for step in steps { guard case .skipped = step.outcome else { return nil } }
        return steps.count == 1 ? first.outcome : .skipped(reason: "every step is skipped")
    }

    func add(_ result: StepRunner.Outcome, to total: inout Outcome) {
        total.exchanges += result.exchanges
        if !frame.prefix.isEmpty, let exchange = result.exchange { total.lastExchange = exchange }
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
            scope.noteFailure()
            if result.endsTest { total.endsTest = true }
            if let blockedBy = result.blockedBy {
                total.blockedBy = total.blockedBy ?? blockedBy
            } else {
                total.hasOwnFailure = true
            }
        }
        total.steps += result.called ?? [result.step]
    }

    /// What reports call a step: its name, the test's for a single exchange, otherwise its request line as written.
    static func name(of step: SuiteStep, in test: SuiteTest) -> String {
        if let name = step.name { return name }
        guard test.hasSteps else { return test.name }
        switch step.action {
        case .exchange(let request): return "\(request.value.method) \(request.value.url.source)"
        case .call(let call): return call.fragment.name
        }
    }
}
