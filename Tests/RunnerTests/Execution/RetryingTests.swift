import Basics
import CEL
import Diagnostics
import RunModel
import SuiteModel
import Synchronization
import Testing

@testable import Runner

@Testing.Suite("Retrying")
struct RetryingTests {
    /// A clock that records the durations of sleeps without waiting.
    final class Waits: Sendable {
        let times: Mutex<[Int64]> = Mutex([])

        var clock: RunClock {
            RunClock(now: { 0 }, sleep: { [self] time in times.withLock { $0.append(time) } })
        }
    }

    private static let request = Exchange.Request(method: "GET", url: "http://localhost/")

    private static func answer(_ status: Int, headers: [HeaderField] = []) -> Exchange {
        Exchange(request: request, response: Exchange.Response(status: status, headers: headers))
    }

    private static func failure(_ phase: Exchange.Failure.Phase, _ kind: Finding.Reason) -> Exchange {
        Exchange(request: request, failure: Exchange.Failure(phase: phase, kind: kind, message: ""))
    }

    static let conditionCases: [(RetryRule.Condition, Exchange, Bool)] = [
        (.status(500...599), answer(503), true), (.status(500...599), answer(404), false),
        (.status(500...599), failure(.connect, .init("connectionRefused")), false),
        (.timeout, failure(.firstByte, .timeout), true),
        (.timeout, failure(.connect, .init("connectionRefused")), false),
        (.connect, failure(.connect, .init("connectionRefused")), true), (.connect, failure(.connect, .timeout), true),
        (.connect, failure(.dns, .init("nameNotResolved")), true),
        (.connect, failure(.receive, .connectionReset), true),
        (.connect, failure(.receive, .init("invalidResponse")), false), (.connect, answer(500), false),
        (.expect, answer(200), true), (.expect, failure(.receive, .init("invalidResponse")), false),
    ]

    @Test("A retry condition applies to the matching exchanges", arguments: conditionCases)
    func conditions(_ condition: RetryRule.Condition, _ exchange: Exchange, _ applies: Bool) {
        let rule = RetryRule(times: 1, conditions: [condition])
        let findings = [Finding(subject: "status", type: .status, message: "")]
        #expect(Retrying.applies(rule, findings: findings, exchange: exchange) == applies)
        let any = RetryRule(times: 1)
        #expect(Retrying.applies(any, findings: findings, exchange: exchange))
    }

    static let findingCases: [(Finding, Bool)] = [
        (Finding(kind: .error, subject: "assert", type: .expression, message: ""), true),
        (Finding(kind: .error, subject: "json $.id", type: .expression, message: ""), true),
        (Finding(kind: .error, subject: "capture id", type: .expression, message: ""), true),
        (Finding(kind: .error, subject: "capture id", type: .xpath, message: ""), true),
        (Finding(kind: .error, subject: "output id", type: .expression, message: ""), true),
        (Finding(kind: .error, subject: "expression", type: .expression, message: ""), false),
        (Finding(kind: .error, subject: "receive", type: .connectionClosed, message: ""), false),
    ]

    @Test("An expression that cannot be evaluated counts as a failed expectation", arguments: findingCases)
    func failedExpressions(_ finding: Finding, _ applies: Bool) {
        let rule = RetryRule(times: 1, conditions: [.expect])
        #expect(Retrying.applies(rule, findings: [finding], exchange: Self.answer(200)) == applies)
        #expect(
            !Retrying.applies(rule, findings: [finding], exchange: Self.failure(.receive, .init("invalidResponse"))))
    }

    @Test("A request that was not sent or cannot be sent is not retried")
    func nothingSent() {
        let rule = RetryRule(times: 1)
        #expect(!Retrying.applies(rule, findings: [], exchange: nil))
        #expect(!Retrying.applies(rule, findings: [], exchange: Self.failure(.request, .init("invalidURL"))))
        #expect(Retrying.applies(rule, findings: [], exchange: Self.failure(.request, .init("adapterFailed"))))
    }

    @Test(
        "The wait before a retry follows delay, backoff, and jitter",
        arguments: [
            (RetryRule(times: 5), 3, nil, 0, 0), (RetryRule(times: 5, delay: 100), 3, nil, 0, 100),
            (RetryRule(times: 5, delay: 100, backoff: .exponential), 1, nil, 0, 100),
            (RetryRule(times: 5, delay: 100, backoff: .exponential), 4, nil, 0, 800),
            (RetryRule(times: 5, delay: 100, backoff: .exponential, maximumDelay: 500), 4, nil, 0, 500),
            (RetryRule(times: 100, delay: 1 << 61, backoff: .exponential, maximumDelay: .max), 99, nil, 0, .max),
            (RetryRule(times: 5, delay: 100, jitter: 0.5), 1, nil, 0.5, 75),
            (RetryRule(times: 5, delay: 100, jitter: 1), 1, nil, 0.999, 1),
            (RetryRule(times: 5, delay: 100), 1, 3_000, 0, 3_000), (RetryRule(times: 5, delay: 100), 1, 30, 0, 100),
            (RetryRule(times: 5, delay: 100, maximumDelay: 200), 1, 3_000, 0, 200),
            (RetryRule(times: 5, delay: 100, honorsRetryAfter: false), 1, 3_000, 0, 100),
        ] as [(RetryRule, Int, Int64?, Double, Int64)])
    func waits(_ rule: RetryRule, _ retry: Int, _ retryAfter: Int64?, _ random: Double, _ expected: Int64) {
        #expect(rule.wait(before: retry, retryAfter: retryAfter, random: random) == expected)
    }

    @Test("Retry-After in seconds determines the wait")
    func retryAfter() async {
        let waits = Waits()
        let answer = Self.answer(429, headers: [HeaderField(name: "retry-after", value: "2")])
        let retrying = Retrying(rule: RetryRule(times: 1, delay: 5), clock: waits.clock)
        #expect(await retrying.wait(before: 1, after: answer))
        #expect(await retrying.wait(before: 1, after: Self.answer(429)))
        #expect(await Retrying(rule: RetryRule(times: 1), clock: waits.clock).wait(before: 1, after: nil))
        #expect(waits.times.withLock { $0 } == [2_000_000_000, 5])
    }

    @Test("Interrupting the run ends the wait without a retry")
    func interruption() async {
        let task = Task {
            let retrying = Retrying(rule: RetryRule(times: 1, delay: 3_600_000_000_000), clock: .system)
            return await retrying.wait(before: 1, after: nil)
        }
        task.cancel()
        #expect(await task.value == false)
    }

    @Test("Jitter depends only on the seed and the retry, and does not consume random numbers of expressions")
    func jitter() async {
        let waits = Waits()
        let rule = RetryRule(times: 3, delay: 1_000_000, jitter: 1)
        let context = CELContext(random: CELRandomSource(seed: 7))
        for _ in 0..<2 {
            let retrying = Retrying(rule: rule, clock: waits.clock, random: Retrying.random(context))
            for retry in 1...3 { #expect(await retrying.wait(before: retry, after: nil)) }
        }
        let times = waits.times.withLock { $0 }
        #expect(times.count == 6)
        #expect(times.prefix(3) == times.suffix(3))
        #expect(Set(times).count == 3)
        #expect(times.allSatisfy { (1...1_000_000).contains($0) })
        #expect(context.random.next() == CELRandomSource(seed: 7).next())
        let other = Retrying.random(CELContext(random: CELRandomSource(seed: 8)))
        #expect(other(1) != Retrying.random(CELContext(random: CELRandomSource(seed: 7)))(1))
    }
}
