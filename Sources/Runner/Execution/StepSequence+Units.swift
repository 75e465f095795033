import RunModel
import SuiteModel

/// Calls and groups: steps that consist of steps.
extension StepSequence {
    /// Returns the retry rule of a step, or nil if it must not be retried.
    func retryRule(of step: SuiteStep) throws(TemplateError) -> RetryRule? {
        guard runner.options.retries != 0, !expectsFailure,
            let rule = try step.retry?.value(in: scope.view(.step), context: scope.context), rule.times > 0
        else { return nil }
        return rule
    }

    /// Makes attempts until one passes or the retry rule is exhausted.
    nonisolated(nonsending) func retrying(_ rule: RetryRule?, times: Int, _ body: () async -> Outcome) async -> Outcome
    {
        let responses = running.responses
        let mark = responses?.mark ?? 0
        let captured = scope.captured.values.count
        var attempt = await body()
        guard times > 0, let rule else { return attempt }
        var previous: [Outcome] = []
        let retrying = Retrying(
            rule: rule, times: times, clock: runner.options.clock, random: Retrying.random(scope.context))
        attempt = await retrying.attempts(after: attempt) { failed in
            previous.append(failed)
            responses?.rewind(to: mark)
            _ = scope.takeCaptures(from: captured)
            var next = await body()
            next.exchanges += failed.exchanges
            return next
        }.last
        attempt.add(previous)
        return attempt
    }

    /// Returns the result of a call or a group, with a step that represents all of its steps when deciding whether the
    /// test continues.
    func summary(of result: Outcome, of step: SuiteStep, name: String, duration: Int64) -> StepRunner.Outcome {
        let outcome: TestResult.Outcome = result.blockedBy == nil ? result.outcome : .errored
        var summary = TestResult.Step(
            name: result.steps.first { !$0.outcome.isSuccess }?.name ?? name, outcome: outcome,
            findings: result.findings, exchange: result.failedExchange, range: step.range)
        summary.duration = duration
        return StepRunner.Outcome(
            step: summary, exchange: result.outcome.isSuccess ? result.lastExchange : result.failedExchange,
            exchanges: result.exchanges, called: result.steps, blockedBy: result.blockedBy,
            callEndsTest: result.endsTest)
    }
}

extension StepSequence.Outcome {
    /// Adds the failed steps of previous attempts to the steps of the last attempt.
    fileprivate mutating func add(_ previous: [Self]) {
        for other in previous.reversed() {
            guard let index = other.steps.firstIndex(where: \.outcome.isFailure), !steps.isEmpty else { continue }
            let failed = other.steps[index]
            let isSame = steps.indices.contains(index) && steps[index].name == failed.name
            let target = isSame ? index : steps.firstIndex { $0.outcome.isFailure } ?? steps.count - 1
            steps[target].previousAttempts.insert(
                contentsOf: failed.previousAttempts + [TestResult.StepAttempt(failed)], at: 0)
            if steps[target].outcome == .passed { steps[target].outcome = .flaky }
            if outcome == .passed { outcome = .flaky }
        }
    }
}
