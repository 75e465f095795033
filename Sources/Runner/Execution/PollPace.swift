import SuiteModel

/// When the next poll is due.
struct PollPace {
    private let every: Int64
    private let waits: RetryRule
    /// When polling ends, by the run's clock.
    let end: Int64

    /// Creates the pace of a rule.
    init(_ rule: UntilRule, end: Int64) {
        every = rule.every
        waits = RetryRule(
            times: .max, delay: rule.every, backoff: rule.backoff, maximumDelay: rule.maximumDelay,
            honoursRetryAfter: false)
        self.end = end
    }

    /// How long to wait after so many polls, in nanoseconds; nil when there is no time for another one.
    ///
    /// A wait that has grown beyond what is left is cut, so that there is a last poll shortly before the end.
    func wait(after polls: Int, at now: Int64) -> Int64? {
        let left = end - now
        let wait = waits.wait(before: polls, random: 0)
        if wait < left { return wait }
        return left > every && wait > every ? left - every : nil
    }
}
