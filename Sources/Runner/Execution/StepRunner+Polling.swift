import SuiteModel

extension StepRunner {
    /// The polls before the last one that are kept to be shown.
    private static let mostKept = 9

    /// Sends the request again and again, until the answer is what is polled for.
    ///
    /// A request without an answer counts as one whose answer is not yet what is polled for.
    nonisolated(nonsending) func poll(_ step: SuiteStep, until rule: UntilRule) async -> Outcome {
        let clock = runner.options.clock
        let start = clock.now()
        let (end, isOver) = start.addingReportingOverflow(rule.within)
        let pace = PollPace(rule, end: isOver ? .max : end)
        var polls = 0
        var exchanges = 0
        var earlier: [TestResult.StepAttempt] = []
        while true {
            if polls > 0 { scope.begin(step) }
            var outcome = await attempt(step, polling: (rule, max(1, pace.end - clock.now())))
            polls += 1
            exchanges += outcome.exchanges
            let wait = outcome.poll == .pending ? pace.wait(after: polls, at: clock.now()) : nil
            if let wait {
                deadline?.note(.poll(polls))
                do {
                    try await clock.sleep(wait)
                    deadline?.note(.answer)
                    keep(outcome, in: &earlier)
                    continue
                } catch {
                    // The run is interrupted, or the test's time is up.
                    outcome.poll = .done
                }
            }
            if let finding = finding(outcome.poll, rule: rule, polls: polls) {
                outcome.step.findings.insert(finding, at: 0)
            }
            outcome.step.polls = polls
            outcome.step.earlierAttempts = earlier
            outcome.step.duration = clock.now() - start
            outcome.exchanges = exchanges
            return outcome
        }
    }

    private func keep(_ outcome: Outcome, in earlier: inout [TestResult.StepAttempt]) {
        guard runner.options.keepsExchanges else { return }
        if earlier.count == Self.mostKept { earlier.removeFirst() }
        let step = outcome.step
        earlier.append(
            TestResult.StepAttempt(
                outcome: step.outcome, findings: step.findings, exchange: step.exchange, duration: step.duration))
    }

    /// What is said before the differences of the last answer.
    private func finding(_ verdict: PollVerdict, rule: UntilRule, polls: Int) -> Finding? {
        let times = polls == 1 ? "once" : "\(polls) times"
        switch verdict {
        case .done: return nil
        case .pending:
            return Finding(
                subject: "until", type: "until",
                message: "polled \(times) in \(NanosecondsText.compact(rule.within)), and it does not hold",
                range: rule.range)
        case .aborted:
            return Finding(
                subject: "abort", type: "abort", message: "polled \(times), and then the answer was as described here",
                range: rule.abortRange ?? rule.range)
        }
    }
}
