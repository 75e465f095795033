import Basics
import RunModel
import SuiteModel

extension StepRunner {
    /// The maximum number of previous polls that are kept for display.
    private static let maximumKept = 9

    /// Sends the request repeatedly until the response meets the condition.
    ///
    /// A request without a response counts as one whose response does not meet the condition yet.
    @inline(never)
    nonisolated(nonsending) func poll(_ step: SuiteStep) async -> Outcome {
        guard let rule = step.flow?.until else { return await attempt(step) }
        let clock = runner.options.clock
        let start = clock.now()
        let limits: UntilRule.Pace
        do {
            limits = try rule.pace.value(in: scope.view(.step), context: scope.context)
        } catch {
            return sequence.outcome(.errored, of: step, name: name, findings: [Self.finding(error)])
        }
        let pace = PollPace(limits, end: limits.within.map { clock.time(in: $0) })
        var polls = 0
        var exchanges = 0
        var previous: [TestResult.StepAttempt] = []
        var answered: (outcome: Outcome, poll: Int)?
        while true {
            if polls > 0 { scope.begin(step) }
            var outcome = await attempt(step, poll: Poll(left: pace.end.map { max(1, $0 - clock.now()) }))
            polls += 1
            exchanges += outcome.exchanges
            let wait = outcome.poll == .pending ? pace.wait(after: polls, at: clock.now()) : nil
            if let wait {
                deadline?.note(.poll(polls))
                do {
                    try await clock.sleep(wait)
                    deadline?.note(.answer)
                    keep(outcome, in: &previous)
                    if outcome.exchange?.failure == nil { answered = (outcome, polls) }
                    continue
                } catch {
                    // The run was interrupted, or the test's time limit has expired.
                    outcome.poll = .done
                }
            }
            var isCutOff = false
            if let answered, outcome.poll == .pending, outcome.exchange?.failure?.kind == .timeout,
                let end = pace.end, clock.now() >= end
            {
                // The timeout was imposed here and says nothing about the server. The last complete response does.
                isCutOff = true
                outcome = answered.outcome
                // The last kept poll is the one before this request.
                let index = previous.count - polls + answered.poll
                if previous.indices.contains(index) { previous.remove(at: index) }
            }
            let complete = isCutOff ? polls - 1 : polls
            if let finding = rule.finding(outcome.poll, limits, polls: complete, isCutOff: isCutOff) {
                outcome.step.findings.insert(finding, at: 0)
            }
            outcome.step.polls = polls
            outcome.step.previousAttempts = previous
            outcome.step.duration = clock.now() - start
            outcome.exchanges = exchanges
            return outcome
        }
    }

    private func keep(_ outcome: Outcome, in previous: inout [TestResult.StepAttempt]) {
        guard runner.options.keepsExchanges else { return }
        if previous.count == Self.maximumKept { previous.removeFirst() }
        previous.append(TestResult.StepAttempt(outcome.step))
    }
}

extension UntilRule {
    /// Returns the finding that precedes the differences of the last response.
    ///
    /// - Parameters:
    ///   - verdict: The assessment of the last response.
    ///   - pace: The limits of the polling.
    ///   - polls: The number of polls, without one that was cut off.
    ///   - isCutOff: Whether the time limit has cut off a further request.
    ///   - subject: The subject of the conditions, for messages.
    func finding(
        _ verdict: PollVerdict, _ pace: Pace, polls: Int, isCutOff: Bool, of subject: String = "the response"
    ) -> Finding? {
        let count = polls == 1 ? "once" : "\(polls) times"
        switch verdict {
        case .done: return nil
        case .pending:
            return Finding(
                subject: "until", type: .init("until"),
                message: "polled \(count)\(pace.limit(polls: polls)), but the condition did not hold",
                range: range,
                details: isCutOff ? ["one more request was cut off when the time ran out"] : [])
        case .aborted:
            return Finding(
                subject: "abort", type: .init("abort"),
                message: "polled \(count), then \(subject) met the abort condition",
                range: abortRange ?? range)
        }
    }
}

extension UntilRule.Pace {
    /// Returns the limit that has ended polling, for a message: `, the maximum` or ` in 1m`.
    fileprivate func limit(polls: Int) -> String {
        if let times, polls >= times { return ", the maximum" }
        return within.map { " in \(NanosecondsText.compact($0))" } ?? ""
    }
}

/// The times at which polls are due.
struct PollPace {
    private let every: Int64
    private let times: Int?
    private let waits: RetryRule
    /// The time at which polling ends, by the run's clock; nil if only the number of polls is limited.
    let end: Int64?

    /// Creates the pace of a rule.
    init(_ rule: UntilRule.Pace, end: Int64?) {
        every = rule.every
        times = rule.times
        waits = RetryRule(
            times: .max, delay: rule.every, backoff: rule.backoff, maximumDelay: rule.maximumDelay,
            honorsRetryAfter: false)
        self.end = end
    }

    /// Returns the wait after the given number of polls, in nanoseconds; nil if no further poll is allowed.
    ///
    /// A wait that exceeds the remaining time is shortened to allow a last poll shortly before the end.
    func wait(after polls: Int, at now: Int64) -> Int64? {
        if let times, polls >= times { return nil }
        let wait = waits.wait(before: polls, random: 0)
        guard let end else { return wait }
        let left = end - now
        if wait < left { return wait }
        return left > every && wait > every ? left - every : nil
    }
}

/// The assessment of a response by a step that polls.
enum PollVerdict: Sendable {
    /// The condition is met, or polling cannot continue.
    case done
    /// The condition is not met yet.
    case pending
    /// The response matches `abort`.
    case aborted
}
