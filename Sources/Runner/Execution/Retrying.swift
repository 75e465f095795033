import Expectations
import SuiteModel

/// Decides whether what did not pass is tried again, and how long to wait before.
struct Retrying {
    let rule: RetryRule
    let clock: RunClock

    /// Whether a rule makes another attempt after one that came to this.
    ///
    /// A request that could not even be made is not tried again: nothing of it would change.
    static func applies(_ rule: RetryRule, findings: [Finding], exchange: Exchange?) -> Bool {
        guard let exchange else { return false }
        // A server that gives no token may give one later.
        if let failure = exchange.failure, failure.phase == "request", failure.kind != "adapterFailed" { return false }
        guard let conditions = rule.conditions else { return true }
        return conditions.contains { isMet($0, findings: findings, exchange: exchange) }
    }

    private static func isMet(_ condition: RetryRule.Condition, findings: [Finding], exchange: Exchange) -> Bool {
        switch condition {
        case .status(let range):
            return exchange.response.map { range.contains($0.status) } ?? false
        case .timeout:
            if case .timeout? = exchange.details?.value.streamEnd { return true }
            return exchange.failure?.kind == "timeout"
        case .connect:
            guard let failure = exchange.failure else { return false }
            switch failure.phase {
            case "dns", "connect", "tls": return true
            default: return ["connectionClosed", "connectionReset", "connectionFailed"].contains(failure.kind)
            }
        case .expect:
            return exchange.failure == nil && findings.contains { $0.kind == .failure }
        }
    }

    /// Waits before a retry.
    ///
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - exchange: the exchange that did not pass.
    /// - Returns: false when the run was interrupted, so that there is no retry.
    func wait(before retry: Int, after exchange: Exchange?) async -> Bool {
        guard !Task.isCancelled else { return false }
        let asked = rule.honoursRetryAfter ? exchange?.response?.header("Retry-After") : nil
        let time = rule.wait(
            before: retry, retryAfter: asked.flatMap { RetryAfter.nanoseconds($0) },
            random: rule.jitter > 0 ? Double.random(in: 0..<1) : 0)
        guard time > 0 else { return true }
        do {
            try await clock.sleep(time)
            return true
        } catch {
            return false
        }
    }
}
