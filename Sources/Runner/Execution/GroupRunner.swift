import Expectations
import RunModel
import SuiteModel

/// A runner of groups of steps, with the retries and the polling of the group.
struct GroupRunner {
    /// The sequence that contains the group.
    let sequence: StepSequence
    /// The steps of the group.
    let steps: ArraySlice<SuiteStep>
    /// The name of the group in reports, with the iteration of its loop.
    let name: String

    /// The result of one repetition of the steps.
    private typealias Attempt = StepSequence.Outcome

    private var scope: TestScope { sequence.scope }
    private var clock: RunClock { sequence.runner.options.clock }

    /// Runs the steps of the group.
    nonisolated(nonsending) func run(_ step: SuiteStep) async -> StepRunner.Outcome {
        let start = clock.now()
        let result: Attempt
        do {
            if let until = step.flow?.until {
                let pace = try until.pace.value(in: scope.view(.step), context: scope.context)
                result = await poll(step, until: until, pace)
            } else {
                let rule = try sequence.retryRule(of: step)
                result = await sequence.retrying(rule, times: rule?.times ?? 0) { await attempt(step) }
            }
        } catch {
            return sequence.outcome(.errored, of: step, name: name, findings: [StepRunner.finding(error)])
        }
        return sequence.summary(of: result, of: step, name: name, duration: clock.now() - start)
    }

    /// Runs the steps once.
    private nonisolated(nonsending) func attempt(_ step: SuiteStep) async -> Attempt {
        scope.begin(step)
        scope.enter(step)
        defer { scope.leave() }
        var result = await sequence.inside(frame(of: step), deadline: sequence.deadline).run(steps)
        // Unlike a failed contract check, an error ends the test.
        result.endsTest = result.endsTest || result.outcome == .errored
        return result
    }

    /// Returns the position of the steps. A group without a name that runs only once leaves no trace in their names.
    private func frame(of step: SuiteStep) -> CallFrame {
        var frame = sequence.frame
        if step.name != nil || step.flow?.isLoop == true { frame.prefix = name + " › " }
        if let name = step.name { frame.path += name + " › " }
        frame.caller = CallFrame.Caller(sequence: sequence)
        return frame
    }

    // MARK: Polling

    /// Repeats the steps until the condition holds after them, or a step fails.
    private nonisolated(nonsending) func poll(
        _ step: SuiteStep, until rule: UntilRule, _ limits: UntilRule.Pace
    ) async -> Attempt {
        let pace = PollPace(limits, end: limits.within.map { clock.time(in: $0) })
        let responses = sequence.running.responses
        let mark = responses?.mark ?? 0
        let captured = scope.captured.values.count
        var polls = 0
        var exchanges = 0
        while true {
            var result = await attempt(step)
            polls += 1
            exchanges += result.exchanges
            result.exchanges = exchanges
            if result.isFailure, result.endsTest { return result }
            let missing = check(rule.expectations)
            if missing.isEmpty {
                add([], polls: polls, of: step, to: &result)
                return result
            }
            let isAborted = rule.abort.map { check($0).isEmpty } ?? false
            guard !isAborted, let wait = pace.wait(after: polls, at: clock.now()) else {
                let verdict = rule.finding(
                    isAborted ? .aborted : .pending, limits, polls: polls, isCutOff: false, of: "the captures")
                add([verdict].compactMap { $0 } + missing, polls: polls, of: step, to: &result)
                return result
            }
            sequence.deadline?.note(.poll(polls))
            do {
                try await clock.sleep(wait)
            } catch {
                // The run was interrupted, or a time limit has expired.
                let isOver = sequence.deadline?.hasExpired == true
                let cutOff = isOver ? sequence.deadline?.finding(range: rule.range) : nil
                add([cutOff].compactMap { $0 } + missing, polls: polls, of: step, to: &result)
                return result
            }
            sequence.deadline?.note(.answer)
            responses?.rewind(to: mark)
            // Only the captures of the last repetition remain.
            _ = scope.takeCaptures(from: captured)
        }
    }

    /// Returns the findings of assertions after the steps.
    private func check(_ expectations: ExpectationSet) -> [Finding] {
        ExpectationChecker().check(expectations.assertions, scope: scope.view(.step), context: scope.context)
    }

    /// Adds the condition of the group as a separate step.
    private func add(_ findings: [Finding], polls: Int, of step: SuiteStep, to result: inout Attempt) {
        let hasError = findings.contains { $0.kind == .error }
        let outcome: TestResult.Outcome = findings.isEmpty ? .passed : hasError ? .errored : .failed
        var own = TestResult.Step(name: name, outcome: outcome, findings: findings, range: step.range)
        own.polls = polls
        var part = Attempt(outcome: outcome, steps: [own], findings: findings)
        part.hasOwnFailure = outcome.isFailure
        part.endsTest = outcome.isFailure
        result.append(part)
    }
}
