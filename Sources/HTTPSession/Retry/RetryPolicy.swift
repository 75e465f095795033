import Basics

/// A retrier that retries requests after temporary failures, with exponential backoff.
///
/// The defaults match Alamofire's `RetryPolicy`: 2 retries, after 0.5 s and 1 s, for the methods ``defaultMethods``,
/// the statuses ``defaultStatuses`` and the failures ``defaultFailures``. In addition, the policy honors `Retry-After`.
/// The following failures correspond to Alamofire's list of errors:
///
/// | `URLError.Code` that Alamofire retries | ``RetryableFailure`` |
/// | --- | --- |
/// | `badServerResponse` | ``RetryableFailure/invalidResponse`` |
/// | `cannotConnectToHost` | ``RetryableFailure/connectionRefused``, ``RetryableFailure/connectionFailed``, ``RetryableFailure/proxyFailed`` |
/// | `cannotFindHost`, `dnsLookupFailed` | ``RetryableFailure/nameNotResolved`` |
/// | `cannotLoadFromNetwork` | ``RetryableFailure/notInCache`` |
/// | `downloadDecodingFailedMidStream`, `downloadDecodingFailedToComplete` | ``RetryableFailure/invalidContentCoding`` |
/// | `networkConnectionLost` | ``RetryableFailure/connectionLost`` |
/// | `notConnectedToInternet` | ``RetryableFailure/connectionFailed``, ``RetryableFailure/nameNotResolved`` |
/// | `secureConnectionFailed` | ``RetryableFailure/tlsFailed`` |
/// | `serverCertificateHasBadDate`, `serverCertificateNotYetValid` | ``RetryableFailure/certificateTime`` |
/// | `timedOut` | ``RetryableFailure/timedOut`` |
/// | `backgroundSessionInUseByAnotherProcess`, `backgroundSessionWasDisconnected`, `callIsActive`, `dataNotAllowed`, `internationalRoamingOff` | none: they occur only on mobile devices |
///
/// A response with one of the statuses is retried whether or not a validator rejected it.
///
/// ```swift
/// configuration.retriers = [RetryPolicy(maximumRetries: 4, jitter: .full, budget: .seconds(60))]
/// ```
public struct RetryPolicy: Retrier, Hashable {
    /// The randomization of delays, which keeps many clients from retrying at the same moment.
    public enum Jitter: Sendable, Hashable {
        /// No randomization, as in Alamofire.
        case none
        /// A random delay between zero and the computed delay.
        case full
    }

    /// The idempotent methods DELETE, GET, HEAD, OPTIONS, PUT and TRACE (RFC 9110, section 9.2.2).
    public static let defaultMethods: Set<HTTPMethod> = [.delete, .get, .head, .options, .put, .trace]

    /// The statuses 408, 500, 502, 503 and 504.
    public static let defaultStatuses: Set<Int> = [408, 500, 502, 503, 504]

    /// All kinds of failures that may be temporary.
    public static let defaultFailures = Set(RetryableFailure.allCases)

    /// The maximum number of retries.
    public var maximumRetries: Int
    /// The factor by which the delay grows with each retry.
    public var base: Double
    /// The delay before the first retry.
    public var scale: Duration
    /// The methods of requests that are retried.
    public var methods: Set<HTTPMethod>
    /// The statuses of responses after which a request is retried.
    public var statuses: Set<Int>
    /// The failures after which a request is retried.
    public var failures: Set<RetryableFailure>
    /// The randomization of delays; a delay that the server requests is not randomized.
    public var jitter: Jitter
    /// The maximum delay, which also caps a delay that the server requests.
    public var maximumDelay: Duration
    /// Whether the server's `Retry-After` (RFC 9110, section 10.2.3) replaces the computed delay.
    public var honorsRetryAfter: Bool
    /// The maximum time from the start of the first attempt to the start of the next one; nil for no limit.
    public var budget: Duration?

    /// Creates a policy.
    /// - Parameters:
    ///   - maximumRetries: The maximum number of retries.
    ///   - base: The factor by which the delay grows with each retry.
    ///   - scale: The delay before the first retry.
    ///   - methods: The methods of requests that are retried.
    ///   - statuses: The statuses of responses after which a request is retried.
    ///   - failures: The failures after which a request is retried.
    ///   - jitter: The randomization of delays.
    ///   - maximumDelay: The maximum delay, which also caps a delay that the server requests.
    ///   - honorsRetryAfter: Whether the server's `Retry-After` replaces the computed delay.
    ///   - budget: The maximum time from the start of the first attempt to the start of the next one; nil for no limit.
    public init(
        maximumRetries: Int = 2, base: Double = 2, scale: Duration = .milliseconds(500),
        methods: Set<HTTPMethod> = RetryPolicy.defaultMethods, statuses: Set<Int> = RetryPolicy.defaultStatuses,
        failures: Set<RetryableFailure> = RetryPolicy.defaultFailures, jitter: Jitter = .none,
        maximumDelay: Duration = .seconds(60), honorsRetryAfter: Bool = true, budget: Duration? = nil
    ) {
        self.maximumRetries = maximumRetries
        self.base = base
        self.scale = scale
        self.methods = methods
        self.statuses = statuses
        self.failures = failures
        self.jitter = jitter
        self.maximumDelay = maximumDelay
        self.honorsRetryAfter = honorsRetryAfter
        self.budget = budget
    }

    /// Returns the decision by method, and by the status of the response or, without one, by the error.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        guard context.attempt <= maximumRetries, isRetryable(failure) else { return .doNotRetry }
        let configuration = context.session.configuration
        var delay = backoff(attempt: context.attempt)
        if jitter == .full { delay = delay * configuration.random.fraction() }
        if honorsRetryAfter, let field = failure.response?.headers["Retry-After"],
            let asked = Self.retryAfter(field, date: configuration.clock.date())
        {
            delay = min(asked, maximumDelay)
        }
        if let budget, failure.elapsed + delay > budget { return .doNotRetry }
        return delay > .zero ? .retryAfter(delay) : .retry
    }

    /// Returns whether the policy retries the method and the status or error.
    func isRetryable(_ failure: FailedAttempt) -> Bool {
        guard methods.contains(failure.request.method) else { return false }
        if let response = failure.response { return statuses.contains(response.status) }
        guard let error = failure.error, let kind = RetryableFailure(error.reason) else { return false }
        return failures.contains(kind)
    }

    /// Returns the delay after an attempt, counted from 1: scale × base^(attempt − 1), capped at the maximum.
    func backoff(attempt: Int) -> Duration {
        let maximum = maximumDelay.inSeconds
        var seconds = scale.inSeconds
        for _ in 1..<max(1, attempt) {
            seconds *= base
            if !(seconds < maximum) { break }
        }
        if seconds <= 0 { return .zero }
        // A delay that is not a number is capped too.
        return seconds < maximum ? .seconds(seconds) : maximumDelay
    }

    /// Returns the delay of a `Retry-After` field, which has seconds or a date; nil if it is invalid.
    static func retryAfter(_ field: String, date: Double) -> Duration? {
        let digits = field.utf8.filter { $0 != 32 && $0 != 9 }
        if !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) {
            guard digits.count <= 9, let seconds = Int64(String(decoding: digits, as: UTF8.self)) else {
                return .seconds(1_000_000_000)
            }
            return .seconds(seconds)
        }
        guard let time = CookieDate.parse(field) else { return nil }
        let wait = Double(time) - date
        return wait > 0 ? .nanoseconds(Int64(min(wait, 1e9) * 1e9)) : .zero
    }
}

extension Retrier where Self == RetryPolicy {
    /// A policy with Alamofire's defaults.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }

    /// Returns a policy with Alamofire's defaults, except for the given values.
    /// - Parameters:
    ///   - maximumRetries: The maximum number of retries.
    ///   - scale: The delay before the first retry.
    ///   - jitter: The randomization of delays.
    ///   - budget: The maximum time from the start of the first attempt to the start of the next one; nil for no limit.
    public static func retryPolicy(
        maximumRetries: Int, scale: Duration = .milliseconds(500), jitter: RetryPolicy.Jitter = .none,
        budget: Duration? = nil
    ) -> RetryPolicy {
        RetryPolicy(maximumRetries: maximumRetries, scale: scale, jitter: jitter, budget: budget)
    }
}

/// The kinds of failures that a retry may resolve, each for one or more reasons of ``SessionError``.
public enum RetryableFailure: String, Sendable, Hashable, CaseIterable {
    /// ``SessionError/Reason/nameNotResolved``.
    case nameNotResolved
    /// ``SessionError/Reason/connectionRefused``.
    case connectionRefused
    /// ``SessionError/Reason/connectionFailed``.
    case connectionFailed
    /// ``SessionError/Reason/connectionClosed``, ``SessionError/Reason/connectionReset`` and
    /// ``SessionError/Reason/protocolViolation``.
    case connectionLost
    /// ``SessionError/Reason/timedOut(_:_:)``, for any time limit.
    case timedOut
    /// ``SessionError/Reason/tlsFailed``.
    case tlsFailed
    /// ``SessionError/Reason/certificate(_:)``, for a certificate that has expired or is not valid yet.
    case certificateTime
    /// ``SessionError/Reason/invalidResponse``.
    case invalidResponse
    /// ``SessionError/Reason/invalidContentCoding``.
    case invalidContentCoding
    /// ``SessionError/Reason/proxyFailed``.
    case proxyFailed
    /// ``SessionError/Reason/notInCache``.
    case notInCache

    /// Creates the kind of failure for a reason, or returns nil if a retry cannot resolve it.
    public init?(_ reason: SessionError.Reason) {
        switch reason {
        case .nameNotResolved: self = .nameNotResolved
        case .connectionRefused: self = .connectionRefused
        case .connectionFailed: self = .connectionFailed
        case .connectionClosed, .connectionReset, .protocolViolation: self = .connectionLost
        case .timedOut: self = .timedOut
        case .tlsFailed: self = .tlsFailed
        case .certificate(.expired), .certificate(.notYetValid): self = .certificateTime
        case .invalidResponse: self = .invalidResponse
        case .invalidContentCoding: self = .invalidContentCoding
        case .proxyFailed: self = .proxyFailed
        case .notInCache: self = .notInCache
        default: return nil
        }
    }
}

/// A retrier that retries requests whose connection was lost before the response was complete.
///
/// It is a ``RetryPolicy`` for ``RetryableFailure/connectionLost`` only. A kept-alive connection that the server closed
/// before it sent a response is not a failure: the transport opens another connection by itself.
public struct ConnectionLostRetryPolicy: Retrier, Hashable {
    /// The underlying policy; changing its `failures` or `statuses` changes which requests are retried.
    public var policy: RetryPolicy

    /// Creates a policy.
    /// - Parameters:
    ///   - maximumRetries: The maximum number of retries.
    ///   - base: The factor by which the delay grows with each retry.
    ///   - scale: The delay before the first retry.
    ///   - methods: The methods of requests that are retried.
    ///   - jitter: The randomization of delays.
    public init(
        maximumRetries: Int = 2, base: Double = 2, scale: Duration = .milliseconds(500),
        methods: Set<HTTPMethod> = RetryPolicy.defaultMethods, jitter: RetryPolicy.Jitter = .none
    ) {
        policy = RetryPolicy(
            maximumRetries: maximumRetries, base: base, scale: scale, methods: methods, statuses: [],
            failures: [.connectionLost], jitter: jitter)
    }

    /// Returns the decision by method and error.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        await policy.decision(about: failure, context: context)
    }
}

extension Retrier where Self == ConnectionLostRetryPolicy {
    /// A policy for lost connections with Alamofire's defaults.
    public static var connectionLost: ConnectionLostRetryPolicy { ConnectionLostRetryPolicy() }
}
