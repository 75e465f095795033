/// How often something that did not pass is tried again, and when.
public struct RetryRule: Sendable, Hashable {
    /// How the wait grows from one retry to the next.
    public enum Backoff: String, Sendable, CaseIterable {
        /// It does not.
        case constant
        /// It doubles.
        case exponential
    }

    /// What an attempt must have come to so that another one is made.
    public enum Condition: Sendable, Hashable {
        /// The response has a status in this range.
        case status(ClosedRange<Int>)
        /// A time limit was reached.
        case timeout
        /// There was no connection, or it was lost.
        case connect
        /// An expectation, an assertion or a capture does not hold.
        case expect
    }

    /// Retries at most.
    public var times: Int
    /// The wait before the first retry, in nanoseconds.
    public var delay: Int64
    /// How the wait grows.
    public var backoff: Backoff
    /// The part of each wait, from 0 to 1, that is random.
    public var jitter: Double
    /// The longest wait, in nanoseconds.
    public var maximumDelay: Int64
    /// What is retried; nil for whatever did not pass.
    public var conditions: [Condition]?
    /// Whether a response's `Retry-After` (RFC 9110, section 10.2.3) makes a wait longer.
    public var honoursRetryAfter: Bool

    /// Creates a rule.
    public init(
        times: Int, delay: Int64 = 0, backoff: Backoff = .constant, jitter: Double = 0,
        maximumDelay: Int64 = 60_000_000_000, conditions: [Condition]? = nil, honoursRetryAfter: Bool = true
    ) {
        self.times = times
        self.delay = delay
        self.backoff = backoff
        self.jitter = jitter
        self.maximumDelay = maximumDelay
        self.conditions = conditions
        self.honoursRetryAfter = honoursRetryAfter
    }

    /// The wait before a retry, in nanoseconds.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, from 1.
    ///   - retryAfter: What the response asks for, in nanoseconds.
    ///   - random: A number from 0 up to 1.
    public func wait(before retry: Int, retryAfter: Int64? = nil, random: Double) -> Int64 {
        var wait = min(delay, maximumDelay)
        if backoff == .exponential {
            for _ in 1..<max(1, retry) where wait < maximumDelay {
                let (doubled, isOver) = wait.multipliedReportingOverflow(by: 2)
                wait = isOver ? maximumDelay : min(doubled, maximumDelay)
            }
        }
        if jitter > 0 {
            let part = Double(wait) * min(jitter, 1) * max(0, min(random, 1))
            wait = max(0, wait - Int64(part))
        }
        guard honoursRetryAfter, let retryAfter else { return wait }
        return min(maximumDelay, max(wait, retryAfter))
    }
}
