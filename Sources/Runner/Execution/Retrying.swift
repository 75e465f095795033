import CEL
import Expectations
import RunModel
import SuiteModel

/// The result of an attempt that may be retried: of a step, a call or an entire test.
protocol RetriedAttempt: Sendable {
    var isFailure: Bool { get }
    /// The findings of the first step that did not pass.
    var findings: [Finding] { get }
    /// The exchange of the first step that did not pass; nil if its request could not be created.
    var failedExchange: Exchange? { get }
}

/// The decision whether a failed attempt is retried, and the wait before the retry.
struct Retrying {
    let rule: RetryRule
    /// The maximum number of retries.
    let times: Int
    let clock: RunClock
    /// Returns a random number in 0..<1 for the number of a retry.
    let random: @Sendable (Int) -> Double

    /// Creates the retry handling of a rule.
    ///
    /// - Parameter times: The maximum number of retries; nil to use the rule's.
    init(
        rule: RetryRule, times: Int? = nil, clock: RunClock, random: @escaping @Sendable (Int) -> Double = { _ in 0 }
    ) {
        self.rule = rule
        self.times = times ?? rule.times
        self.clock = clock
        self.random = random
    }

    /// Returns random numbers derived from the context, without affecting those that expressions get.
    static func random(_ context: CELContext) -> @Sendable (Int) -> Double {
        { retry in
            let seed = context.repeatable().random.next() ^ UInt64(truncatingIfNeeded: retry)
            return Double(CELRandomSource(seed: seed).next() >> 11) * 0x1p-53
        }
    }

    /// Makes further attempts after the first one, until one succeeds or the rule is exhausted.
    ///
    /// - Parameters:
    ///   - first: The result of the first attempt.
    ///   - willWait: Called before each wait.
    ///   - again: Makes another attempt after a failed one.
    /// - Returns: The result of the last attempt, and whether the wait for another one was cut off.
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

    /// Returns whether the rule retries an attempt with the given result.
    ///
    /// A request that could not be created is not retried, because the next attempt would fail the same way.
    static func applies(_ rule: RetryRule, findings: [Finding], exchange: Exchange?) -> Bool {
        guard let exchange, isWorthAnother(exchange) else { return false }
        guard let conditions = rule.conditions else { return true }
        return conditions.contains { isMet($0, findings: findings, exchange: exchange) }
    }

    /// Returns whether a retry could change the result of an exchange without a response.
    static func isWorthAnother(_ exchange: Exchange) -> Bool {
        guard let failure = exchange.failure else { return true }
        // A program that cannot be started now will not be found later.
        if failure.kind == .cancelled || failure.kind == .commandNotStarted { return false }
        // A server that refuses a token may issue one later.
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

    /// Returns whether a finding is about the response, such as a path that does not exist in it.
    private static func isOfAnswer(_ finding: Finding) -> Bool {
        if finding.kind == .failure { return true }
        if case .capture = finding.subject { return true }
        // Findings with this subject are about the request.
        return finding.subject != .expression && [.expression, .json, .xpath].contains(finding.type)
    }

    /// Waits before a retry.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, starting at 1.
    ///   - exchange: The exchange that did not pass.
    /// - Returns: Whether to retry; false if the wait was cancelled, for example by an interruption of the run.
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
