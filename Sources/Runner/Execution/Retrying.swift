import CEL
import Expectations
import RunModel
import SuiteModel

/// What came of an attempt that may be made again: of a step, a call or a whole test.
protocol RetriedAttempt: Sendable {
    var isFailure: Bool { get }
    /// What was wrong in the first step that did not pass.
    var findings: [Finding] { get }
    /// The exchange of that step; nil when its request could not be made.
    var failedExchange: Exchange? { get }
}

/// Decides whether what did not pass is tried again, and how long to wait before.
struct Retrying {
    let rule: RetryRule
    /// How many attempts there may be after the first.
    let times: Int
    let clock: RunClock
    /// Gives, for the number of a retry, a number from 0 up to 1.
    let random: @Sendable (Int) -> Double

    /// Creates the retrying of a rule.
    ///
    /// - Parameter times: How many attempts there may be after the first; nil for as many as the rule says.
    init(
        rule: RetryRule, times: Int? = nil, clock: RunClock, random: @escaping @Sendable (Int) -> Double = { _ in 0 }
    ) {
        self.rule = rule
        self.times = times ?? rule.times
        self.clock = clock
        self.random = random
    }

    /// Random numbers that depend on the run's seed and on what is tried again; expressions get the same ones as without it.
    static func random(_ context: CELContext) -> @Sendable (Int) -> Double {
        { retry in
            let seed = context.repeatable().random.next() ^ UInt64(truncatingIfNeeded: retry)
            return Double(CELRandomSource(seed: seed).next() >> 11) * 0x1p-53
        }
    }

    /// Makes attempts after a first one, until one does not fail or the rule says no more.
    ///
    /// - Parameters:
    ///   - first: What the first attempt came to.
    ///   - willWait: Called before each wait.
    ///   - again: Makes another attempt after one that failed.
    /// - Returns: What the last attempt came to, and whether a wait for another was cut off.
    nonisolated(nonsending) func attempts<Attempt: RetriedAttempt>(
        after first: Attempt, willWait: () -> Void = {}, again: (Attempt) async -> Attempt
    ) async -> (last: Attempt, isCutOff: Bool) {
        var last = first
        var retries = 0
        while retries < times, last.isFailure,
            Self.applies(rule, findings: last.findings, exchange: last.failedExchange)
        {
            willWait()
            retries += 1
            guard await wait(before: retries, after: last.failedExchange) else { return (last, true) }
            last = await again(last)
        }
        return (last, false)
    }

    /// Whether a rule makes another attempt after one that came to this.
    ///
    /// A request that could not even be made is not tried again: nothing of it would change.
    static func applies(_ rule: RetryRule, findings: [Finding], exchange: Exchange?) -> Bool {
        guard let exchange, isWorthAnother(exchange) else { return false }
        guard let conditions = rule.conditions else { return true }
        return conditions.contains { isMet($0, findings: findings, exchange: exchange) }
    }

    /// Whether another attempt may come to something else than an exchange that got no answer.
    static func isWorthAnother(_ exchange: Exchange) -> Bool {
        guard let failure = exchange.failure else { return true }
        if failure.kind == .cancelled { return false }
        // A server that gives no token may give one later.
        return failure.phase != .request || failure.kind == .adapterFailed
    }

    private static func isMet(_ condition: RetryRule.Condition, findings: [Finding], exchange: Exchange) -> Bool {
        switch condition {
        case .status(let range):
            return exchange.response.map { range.contains($0.status) } ?? false
        case .timeout:
            if case .timeout? = exchange.details?.streamEnd { return true }
            return exchange.failure?.kind == .timeout
        case .connect:
            guard let failure = exchange.failure else { return false }
            switch failure.phase {
            case .dns, .connect, .tls: return true
            default:
                let kinds: [Finding.Reason] = [
                    .connectionClosed, .connectionReset, .connectionFailed, .protocolViolation,
                ]
                return kinds.contains(failure.kind)
            }
        case .expect:
            return exchange.failure == nil && findings.contains(where: isOfAnswer)
        }
    }

    /// Whether a finding is one about the answer, such as that a path leads nowhere in it.
    private static func isOfAnswer(_ finding: Finding) -> Bool {
        if finding.kind == .failure { return true }
        if case .capture = finding.subject { return true }
        // What has this subject was to be sent.
        return finding.subject != .expression && [.expression, .json, .xpath].contains(finding.type)
    }

    /// Waits before a retry.
    ///
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - exchange: the exchange that did not pass.
    /// - Returns: false when the run was interrupted, so that there is no retry.
    func wait(before retry: Int, after exchange: Exchange?) async -> Bool {
        guard !Task.isCancelled else { return false }
        let asked = rule.honorsRetryAfter ? exchange?.response?.header("Retry-After") : nil
        let time = rule.wait(
            before: retry, retryAfter: asked.flatMap { RetryAfter.nanoseconds($0) },
            random: rule.jitter > 0 ? random(retry) : 0)
        guard time > 0 else { return true }
        do {
            try await clock.sleep(time)
            return true
        } catch {
            return false
        }
    }
}
