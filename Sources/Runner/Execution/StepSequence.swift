import Basics
import CEL
import Diagnostics
import Expectations
import HTTPSession
import JSON
import RunModel
import SuiteModel

/// A runner of consecutive steps in one scope, up to the first failure that ends the test.
///
/// A class, because it is passed through every asynchronous call.
final class StepSequence {
    let runner: TestRunner
    /// The running test.
    let running: RunningTest
    /// The substitute for the test in a fragment.
    let substitute: CopyOnWrite<SuiteTest>?
    let scope: TestScope
    /// The cookie jar; nil for none.
    let jar: CookieJar?
    /// The test's snapshots; nil if its suite does not compare any.
    let snapshots: TestSnapshots?
    /// The calls that enclose the steps.
    let frame: CallFrame
    /// The deadline of the test or of an enclosing step, if one has a time limit.
    let deadline: TestDeadline?

    init(
        runner: TestRunner, running: RunningTest, substitute: CopyOnWrite<SuiteTest>? = nil, scope: TestScope,
        jar: CookieJar?, snapshots: TestSnapshots?, frame: CallFrame, deadline: TestDeadline?
    ) {
        self.runner = runner
        self.running = running
        self.substitute = substitute
        self.scope = scope
        self.jar = jar
        self.snapshots = snapshots
        self.frame = frame
        self.deadline = deadline
    }

    /// The test that contains the steps, or the substitute for it in a fragment.
    var test: SuiteTest {
        @inline(__always) _read { if let substitute { yield substitute.wrappedValue } else { yield running.test } }
    }
    /// The test's suite.
    var suite: SuiteRun { running.suite }
    /// The suite's index in the run.
    var suiteIndex: Int { running.entry.suite }

    /// The result of the steps.
    struct Outcome: RetriedAttempt {
        /// The combined outcome: the most severe one.
        var outcome = TestResult.Outcome.passed
        /// The steps that ran or were skipped, in order.
        var steps: [TestResult.Step] = []
        /// The number of exchanges that were made.
        var exchanges = 0
        /// The findings of the first step that did not pass.
        var findings: [Finding] = []
        /// The exchange of the first step that did not pass.
        var failedExchange: Exchange?
        /// The last exchange of a fragment's steps, even if reports do not keep it. Unused for the steps of a test.
        var lastExchange: Exchange?
        /// The outputs of a fragment's steps, in order.
        var outputs: [(name: String, value: CELValue)] = []
        /// The name of the test whose shared call did not pass, if a step depends on that call.
        var blockedBy: String?
        /// Whether a step failed by itself rather than because of a shared call.
        var hasOwnFailure = false
        /// Whether the failure of a step ends the test.
        var endsTest = false

        var isFailure: Bool { outcome.isFailure }

        /// Whether a fragment's outputs can be used. Contract and lock findings do not affect them.
        var hasOutputs: Bool { outcome.isSuccess || !endsTest }

        /// The outcome for reports: blocked if only a shared call is the cause.
        var verdict: TestResult.Outcome {
            if !hasOwnFailure, let blockedBy { .blocked(by: blockedBy) } else { outcome }
        }
    }

    /// Whether the step that runs is expected to fail, so that it is not retried.
    var expectsFailure = false
    /// The iteration of the loop that runs, starting at 0; nil outside of loops.
    var iteration: Int?
    /// The identity of the calls and iterations that lead to the step that runs, which retries of the step share.
    var occurrence: String {
        let calls = frame.caller.map { $0.sequence.occurrence + ($0.call.map { "\($0) › " } ?? "") } ?? ""
        return calls + (iteration.map { "[\($0)] " } ?? "")
    }
    /// The steps of the group that runs; empty while another step runs.
    var inner: ArraySlice<SuiteStep> = []

    /// Runs the steps.
    nonisolated(nonsending) func run(_ steps: ArraySlice<SuiteStep>) async -> Outcome {
        var total = Outcome()
        total.steps.reserveCapacity(steps.count)
        var failedStep: String?
        var rest = steps
        while let step = rest.popFirst() {
            inner = []
            if let group = step.group {
                inner = rest.prefix(group.count)
                rest = rest.dropFirst(group.count)
            }
            let name = self.name(of: step)
            if let failedStep {
                skip(step, name: name, after: failedStep, in: &total)
                continue
            }
            failedStep = await run(step, name: name, into: &total)
        }
        // A call whose steps were all skipped has not failed.
        if total.outcome == .passed, frame.prefix.isEmpty { total.outcome = Self.skip(of: total.steps) ?? .passed }
        return total
    }

    // As in `TestRunner.conduct`, the asynchronous functions from here to `StepRunner.send` have as few locals as
    // possible.

    /// Returns the name of a step in reports.
    @inline(never)
    private func name(of step: SuiteStep) -> String {
        // Without a copy of the test.
        let name = step.name ?? (test.hasSteps ? step.name(in: test) : test.name)
        return frame.prefix.isEmpty ? name : frame.prefix + name
    }

    /// Adds the result of a step that is skipped because another one has failed.
    @inline(never)
    private func skip(_ step: SuiteStep, name: String, after failed: String, in total: inout Outcome) {
        total.steps.append(
            TestResult.Step(name: name, outcome: .skipped(reason: "\(failed) failed"), range: step.range))
    }

    /// Runs one step with all of its iterations, unless it is skipped.
    ///
    /// - Returns: The name of the step that failed if the following steps must not run.
    private nonisolated(nonsending) func run(_ step: SuiteStep, name: String, into total: inout Outcome) async
        -> String?
    {
        switch limit(of: step, name: name, into: &total) {
        case .none: await runIterations(of: step, name: name, into: &total)
        case .time(let limit): await run(step, name: name, limit: limit, into: &total)
        case .over(let failedStep): failedStep
        }
    }

    /// The limit on a step with all of its iterations.
    private enum StepLimit {
        case none
        /// A maximum duration, in nanoseconds.
        case time(Int64)
        /// The step does not run. The value is its name if the following steps must not run either.
        case over(failedStep: String?)
    }

    /// Returns the limit on a step, and adds the result of a step that does not run.
    @inline(never)
    private func limit(of step: SuiteStep, name: String, into total: inout Outcome) -> StepLimit {
        guard let flow = step.flow else { return .none }
        if let reason = flow.skip {
            add(outcome(.skipped(reason: reason), of: step, name: name), to: &total)
            return .over(failedStep: nil)
        }
        guard let timeout = flow.timeout else { return .none }
        do {
            if timeout.known == nil {
                scope.begin(step)
                if let skipped = skipWithoutCaptures(step, name: name) {
                    add(skipped, to: &total)
                    return .over(failedStep: nil)
                }
            }
            return .time(try timeout.value(in: scope.view(.step), context: scope.context))
        } catch {
            return .over(failedStep: addFailure(StepRunner.finding(error), of: step, name: name, to: &total))
        }
    }

    /// Runs one step once, or once for each element of its loop.
    ///
    /// - Returns: The name of the step that failed if the following steps must not run.
    nonisolated(nonsending) func runIterations(
        of step: SuiteStep, name: String, into total: inout Outcome
    ) async -> String? {
        if step.isLoop { return await runLoops(step, name: name, into: &total) }
        let result = await runInTime(step, name: name)
        return conclude(step, name: name, result, into: &total)
    }

    /// Runs a step that is a loop.
    @inline(never)
    private nonisolated(nonsending) func runLoops(
        _ step: SuiteStep, name: String, into total: inout Outcome
    ) async -> String? {
        defer { iteration = nil }
        if let rule = step.flow?.forEach { return await runLoop(step, rule, name: name, into: &total) }
        if let rule = step.flow?.whileRule { return await runWhile(step, rule, name: name, into: &total) }
        return nil
    }

    /// Adds the result of a step that ran once.
    ///
    /// - Returns: The name of the step that failed if the following steps must not run.
    @inline(never)
    private func conclude(
        _ step: SuiteStep, name: String, _ result: StepRunner.Outcome, into total: inout Outcome
    ) -> String? {
        add(result, to: &total)
        guard result.step.outcome.isFailure else { return nil }
        scope.noteFailedCaptures(of: step, name: name)
        return goesOn(after: result, of: step) ? nil : result.step.name
    }

    /// Returns whether the steps after a failed step run nevertheless.
    ///
    /// Contract and lock findings do not end a test, because the response is usable. A teardown runs all of its steps,
    /// since each may clean up something else. Any other test cannot continue without a shared call that it depends on.
    func goesOn(after result: StepRunner.Outcome, of step: SuiteStep) -> Bool {
        if !result.endsTest, result.blockedBy == nil { return deadline?.hasExpired != true }
        let mayGoOn =
            frame.isCleanup || test.kind == .teardown || (step.continuesAfterFailure && result.blockedBy == nil)
        return mayGoOn && deadline?.hasExpired != true
    }

    /// Runs one step unless the deadline has expired. If the deadline cuts the step off, adds a finding to its result.
    nonisolated(nonsending) func runInTime(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        let start = runner.options.clock.now()
        var result =
            if step.isExpectedToFail {
                await runExpectingFailure(step, name: name)
            } else if deadline == nil {
                await run(step, name: name)
            } else {
                await runWithinDeadline(step, name: name)
            }
        note(start, in: &result)
        return result
    }

    /// Sets the start and the duration of a step, which includes the wait before the first attempt.
    @inline(never)
    private func note(_ start: Int64, in result: inout StepRunner.Outcome) {
        result.step.start = start - runner.start
        switch result.step.outcome {
        case .skipped, .blocked: break
        case .passed, .flaky, .known, .failed, .errored: result.step.duration = runner.options.clock.now() - start
        }
    }

    nonisolated(nonsending) func runWithinDeadline(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        guard let deadline else { return await run(step, name: name) }
        if deadline.hasExpired { return outcome(of: step, name: name, after: deadline) }
        deadline.beginStep()
        var result = await run(step, name: name)
        if deadline.hasExpired { note(deadline, in: &result, of: step) }
        return result
    }

    /// Returns the result of a step that could not start before the deadline.
    @inline(never)
    private func outcome(of step: SuiteStep, name: String, after deadline: TestDeadline) -> StepRunner.Outcome {
        outcome(.errored, of: step, name: name, findings: [deadline.findingBeforeStep(range: step.range)])
    }

    /// Adds to the result of a step that its deadline has cut it off, unless it was successful.
    @inline(never)
    private func note(_ deadline: TestDeadline, in result: inout StepRunner.Outcome, of step: SuiteStep) {
        guard !result.step.outcome.isSuccess else { return }
        var location = result.step.findings.first?.range ?? step.range
        if let cutOff = result.step.findings.first(where: { $0.type == .cutOff }) {
            deadline.note(.check(cutOff.subject))
            location = cutOff.range ?? location
        }
        let finding = deadline.finding(range: location)
        if result.exchange?.failure?.kind == .cancelled {
            result.step.findings = []
            result.step.exchange?.failure?.kind = finding.type
            result.step.exchange?.failure?.message = finding.wording
        }
        // The cutoff of a WebSocket is a consequence of the deadline.
        result.step.findings.removeAll { $0.type == .cancelled || $0.type == .cutOff }
        result.step.findings.insert(finding, at: 0)
        result.step.outcome = .errored
        // A step of a call that was cut off has its own finding.
        if let called = result.called, !called.contains(where: \.outcome.isFailure) {
            result.called = called + [result.step]
        }
    }

    /// Runs one step if its condition is met.
    nonisolated(nonsending) func run(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        switch begin(step, name: name) {
        case .now: break
        case .after(let delay):
            guard await wait(delay) else { return outcome(.errored, of: step, name: name) }
        case .never(let outcome): return outcome
        }
        guard let exchange = stepRunner(of: step, name: name) else { return await runUnit(step, name: name) }
        return await exchange.run(step)
    }

    /// Returns the runner of a single exchange or command; nil for a step that consists of steps.
    @inline(never)
    private func stepRunner(of step: SuiteStep, name: String) -> StepRunner? {
        switch step.action {
        case .exchange(let request): return StepRunner(self, request: request, name: name)
        case .command(let command):
            let placeholder = RequestSpec(url: .constant(""), urlRange: command.range, range: command.range)
            return StepRunner(self, request: CopyOnWrite(wrappedValue: placeholder), name: name)
        case .call, .group: return nil
        }
    }

    /// Runs a call or a group.
    @inline(never)
    private nonisolated(nonsending) func runUnit(_ step: SuiteStep, name: String) async -> StepRunner.Outcome {
        guard case .call(let call) = step.action else {
            return await GroupRunner(sequence: self, steps: inner, name: name).run(step)
        }
        return await FragmentRunner(
            sequence: self, call: call, name: name, path: frame.path + (step.name ?? call.fragment.name)
        ).run(step)
    }

    /// Returns the result of a step that uses a missing capture; nil if all captures exist.
    ///
    /// This check precedes the evaluation of the step's expressions. An expression that uses the capture would fail, or
    /// would resolve the name to the CEL type of the same name.
    func skipWithoutCaptures(_ step: SuiteStep, name: String) -> StepRunner.Outcome? {
        guard let missing = step.uncertainCaptures.first(where: { !scope.knows($0) }) else { return nil }
        return outcome(.skipped(reason: "\"\(missing)\" was not captured"), of: step, name: name)
    }

    /// The time at which a step runs.
    private enum StepStart {
        case now
        /// After a delay, in nanoseconds.
        case after(Int64)
        /// The step does not run, with this result.
        case never(StepRunner.Outcome)
    }

    /// Starts a step, and evaluates its condition and its delay.
    @inline(never)
    private func begin(_ step: SuiteStep, name: String) -> StepStart {
        scope.begin(step)
        if let skipped = skipWithoutCaptures(step, name: name) { return .never(skipped) }
        guard let flow = step.flow else { return .now }
        if let condition = flow.condition {
            switch ConditionCheck.result(condition, scope: scope.view(.step), context: scope.context) {
            case .met: break
            case .unmet(let reason): return .never(outcome(.skipped(reason: reason), of: step, name: name))
            case .failed(let finding): return .never(outcome(.errored, of: step, name: name, findings: [finding]))
            }
        }
        if flow.delay == 0 { return .now }
        do {
            let delay = try flow.delay.value(in: scope.view(.step), context: scope.context)
            return delay > 0 ? .after(delay) : .now
        } catch {
            return .never(outcome(.errored, of: step, name: name, findings: [StepRunner.finding(error)]))
        }
    }

    /// Waits before a step.
    ///
    /// - Returns: Whether the step runs; false if the wait was cancelled.
    private nonisolated(nonsending) func wait(_ delay: Int64) async -> Bool {
        deadline?.note(.delay)
        do {
            try await runner.options.clock.sleep(delay)
            deadline?.note(.answer)
            return true
        } catch {
            return false
        }
    }

    /// Returns the result of a step that has not sent anything.
    @inline(never)
    func outcome(
        _ outcome: TestResult.Outcome, of step: SuiteStep, name: String, findings: [Finding] = [],
        duration: Int64 = 0
    ) -> StepRunner.Outcome {
        StepRunner.Outcome(
            step: TestResult.Step(
                name: name, outcome: outcome, findings: findings, duration: duration, range: step.range),
            exchange: nil, exchanges: 0)
    }

    /// Returns the skipped outcome of steps that were all skipped; nil if one was not.
    private static func skip(of steps: [TestResult.Step]) -> TestResult.Outcome? {
        guard let first = steps.first else { return nil }
        for step in steps { guard case .skipped = step.outcome else { return nil } }
        return steps.count == 1 ? first.outcome : .skipped(reason: "every step was skipped")
    }

    /// Adds the result of a step to the combined result.
    func add(_ result: StepRunner.Outcome, to total: inout Outcome) {
        total.exchanges += result.exchanges
        if !frame.prefix.isEmpty, let exchange = result.exchange { total.lastExchange = exchange }
        let outcome = result.step.outcome
        if outcome.outweighs(total.outcome) { total.outcome = outcome }
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
        if let called = result.called { total.steps += called } else { total.steps.append(result.step) }
    }
}
