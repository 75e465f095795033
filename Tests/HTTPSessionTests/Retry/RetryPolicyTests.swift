import Basics
import Testing

@testable import HTTPSession

@Suite("Retry policy")
struct RetryPolicyTests {
    static func session(random: Double = 0.5, date: Double = 784_111_777) -> Session {
        var configuration = SessionConfiguration()
        configuration.clock = SettableClock(date).clock
        configuration.random = SessionRandom { UInt64(random * 0x1p53) << 11 }
        return Session(
            configuration: configuration, transport: AnswerTransport { _, _ in .init(head: .init(status: 200)) })
    }

    /// Returns the decision of a policy: the delay in seconds, or nil for no retry.
    static func delay(
        _ policy: some Retrier, attempt: Int = 1, method: HTTPMethod = .get, status: Int? = nil,
        reason: SessionError.Reason? = nil, headers: HTTPHeaders = [:], elapsed: Duration = .zero,
        random: Double = 0.5
    ) async throws -> Double? {
        let request = Request(method, url: "http://a.test/")
        let sent = SentRequest(method: method, url: try HTTPURL(request.url), headers: [:], body: .empty)
        let failure = FailedAttempt(
            request: request,
            response: status.map { Response(head: .init(status: $0, headers: headers), request: sent) },
            error: reason.map { SessionError(phase: .connect, reason: $0, message: "") }, elapsed: elapsed)
        let context = AttemptContext(id: .init(1), attempt: attempt, session: session(random: random))
        switch await policy.decision(about: failure, context: context) {
        case .retry: return 0
        case .retryAfter(let delay): return delay / .seconds(1)
        case .doNotRetry, .doNotRetryWithError: return nil
        }
    }

    @Test(
        "The default methods and statuses are those of Alamofire",
        arguments: ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE", "POST", "PATCH", "CONNECT", "get", "QUERY"])
    func defaults(method: String) async throws {
        let isIdempotent = ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"].contains(method)
        for status in 400..<600 {
            let isRetried = isIdempotent && [408, 500, 502, 503, 504].contains(status)
            let delay = try await Self.delay(RetryPolicy(), method: .init(rawValue: method), status: status)
            #expect((delay != nil) == isRetried, "\(method) \(status)")
        }
    }

    static let reasons: [(SessionError.Reason, Bool)] = [
        (.nameNotResolved, true), (.connectionRefused, true), (.connectionFailed, true), (.connectionClosed, true),
        (.connectionReset, true), (.timedOut(.connect, .seconds(1)), true), (.timedOut(.total, .seconds(9)), true),
        (.tlsFailed, true), (.certificate(.expired), true), (.certificate(.notYetValid), true),
        (.invalidResponse, true), (.invalidContentCoding, true), (.proxyFailed, true), (.notInCache, true),
        (.certificate(.selfSigned), false), (.certificate(.wrongHost), false), (.certificate(.unknownAuthority), false),
        (.invalidURL, false), (.invalidMethod, false), (.invalidHeader, false), (.unreadableBody, false),
        (.invalidTrust, false), (.limitExceeded(.bodyBytes, 1), false), (.tooManyRedirects(1), false),
        (.redirectCycle, false), (.invalidRedirect, false), (.unacceptableResponse, false), (.adapterFailed, false),
        (.retrierFailed, false), (.undecodable, false), (.bodyNotReplayable, false), (.upgradeRefused, false),
        (.versionNotAvailable, false), (.fileNotWritable, false), (.cancelled, false), (.sessionClosed, false),
    ]

    @Test("Transient failures are retried, and permanent failures are not", arguments: reasons)
    func failures(reason: SessionError.Reason, isRetried: Bool) async throws {
        #expect(try await (Self.delay(RetryPolicy(), reason: reason) != nil) == isRetried)
        #expect(try await Self.delay(RetryPolicy(failures: []), reason: reason) == nil)
        let isLost = reason == .connectionClosed || reason == .connectionReset
        #expect(try await (Self.delay(.connectionLost, reason: reason) != nil) == isLost)
        #expect(try await Self.delay(.connectionLost, method: .post, reason: reason) == nil)
    }

    @Test("If there is a response, its status decides whether the request is retried")
    func refusedResponse() async throws {
        #expect(try await Self.delay(RetryPolicy(), status: 503, reason: .unacceptableResponse) == 0.5)
        #expect(try await Self.delay(RetryPolicy(), status: 404, reason: .unacceptableResponse) == nil)
        #expect(try await Self.delay(.connectionLost, status: 503) == nil)
    }

    /// Policy, attempt, and delay.
    static let delays: [(RetryPolicy, Int, Double?)] = [
        (RetryPolicy(), 1, 0.5), (RetryPolicy(), 2, 1), (RetryPolicy(), 3, nil),
        (RetryPolicy(maximumRetries: 0), 1, nil), (RetryPolicy(maximumRetries: 9), 8, 60),
        (RetryPolicy(maximumRetries: 9), 7, 32), (RetryPolicy(maximumRetries: .max), 1_000_000, 60),
        (RetryPolicy(maximumRetries: 9, base: 3, scale: .seconds(1)), 3, 9),
        (RetryPolicy(maximumRetries: 9, base: 1), 9, 0.5), (RetryPolicy(scale: .zero), 2, 0),
        (RetryPolicy(maximumRetries: 9, base: 10, maximumDelay: .seconds(2)), 2, 2),
        (RetryPolicy(maximumRetries: 9, base: .infinity), 2, 60), (RetryPolicy(base: .nan), 2, 60),
        (RetryPolicy(jitter: .full), 2, 0.25), (RetryPolicy(scale: .milliseconds(-5)), 1, 0),
    ]

    @Test("Delays grow exponentially up to the maximum", arguments: delays)
    func backoff(policy: RetryPolicy, attempt: Int, expected: Double?) async throws {
        #expect(try await Self.delay(policy, attempt: attempt, status: 503, random: 0.25) == expected)
    }

    /// The field, and the delay at 1994-11-06T08:49:37Z.
    static let retryAfters: [(String, Double?)] = [
        ("7", 7), ("0", 0), (" 12 ", 12), ("99999999999999999999", 60), ("61", 60), ("-1", nil), ("soon", nil),
        ("1.5", nil), ("", nil), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:40 GMT", 3),
        ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1990 08:49:37 GMT", 0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 60),
    ]

    @Test("Retry-After overrides the delay up to the maximum", arguments: retryAfters)
    func retryAfter(field: String, expected: Double?) async throws {
        let headers: HTTPHeaders = ["Retry-After": field]
        #expect(
            try await Self.delay(RetryPolicy(jitter: .full), status: 503, headers: headers) == expected ?? 0.25)
        #expect(
            try await Self.delay(RetryPolicy(honorsRetryAfter: false), status: 503, headers: headers) == 0.5)
    }

    @Test("The budget limits when the next attempt may start")
    func budget() async throws {
        let policy = RetryPolicy(budget: .seconds(2))
        #expect(try await Self.delay(policy, status: 503, elapsed: .milliseconds(1500)) == 0.5)
        #expect(try await Self.delay(policy, status: 503, elapsed: .milliseconds(1501)) == nil)
        #expect(try await Self.delay(policy, status: 503, headers: ["Retry-After": "3"]) == nil)
    }
}
