import Basics

/// Sends requests again that failed for a reason that may pass, after a time that doubles with each attempt.
///
/// Without arguments it does what Alamofire's policy of the same name does: 2 retries, after 0.5 s and 1 s, for the
/// methods ``defaultMethods``, the statuses ``defaultStatuses`` and the failures ``defaultFailures``; and it also does
/// as a `Retry-After` field says. Alamofire's list of errors is met by these failures:
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
/// | `backgroundSessionInUseByAnotherProcess`, `backgroundSessionWasDisconnected`, `callIsActive`, `dataNotAllowed`, `internationalRoamingOff` | none: they come from telephones |
///
/// A response is sent again for its status whether or not a validator has refused it.
public struct RetryPolicy: Retrier, Hashable {
    /// How the delay is spread, so that many clients do not come back all at once.
    public enum Jitter: Sendable, Hashable {
        /// Not at all, as in Alamofire.
        case none
        /// Evenly between zero and the delay.
        case full
    }

    /// DELETE, GET, HEAD, OPTIONS, PUT and TRACE: the idempotent methods (RFC 9110 section 9.2.2).
    public static let defaultMethods: Set<HTTPMethod> = [.delete, .get, .head, .options, .put, .trace]

    /// 408, 500, 502, 503 and 504.
    public static let defaultStatuses: Set<Int> = [408, 500, 502, 503, 504]

    /// All kinds of failure that may pass.
    public static let defaultFailures = Set(RetryableFailure.allCases)

    /// How often a request is sent again at most.
    public var maximumRetries: Int
    /// The number that the delay is multiplied by with each retry.
    public var base: Double
    /// The delay before the first retry.
    public var scale: Duration
    /// The methods of requests that are sent again.
    public var methods: Set<HTTPMethod>
    /// The statuses of responses whose requests are sent again.
    public var statuses: Set<Int>
    /// The failures after which requests are sent again.
    public var failures: Set<RetryableFailure>
    /// How the delay is spread; a delay that the server asks for is not.
    public var jitter: Jitter
    /// The longest delay, also where the server asks for a longer one.
    public var maximumDelay: Duration
    /// Whether the server's `Retry-After` (RFC 9110 section 10.2.3) takes the place of the delay.
    public var honorsRetryAfter: Bool
    /// The time since the first attempt began within which the next one must begin; nil for no bound.
    public var budget: Duration?

    /// Creates a policy.
    /// - Parameters:
    ///   - maximumRetries: How often a request is sent again at most.
    ///   - base: The number that the delay is multiplied by with each retry.
    ///   - scale: The delay before the first retry.
    ///   - methods: The methods of requests that are sent again.
    ///   - statuses: The statuses of responses whose requests are sent again.
    ///   - failures: The failures after which requests are sent again.
    ///   - jitter: How the delay is spread.
    ///   - maximumDelay: The longest delay, also where the server asks for a longer one.
    ///   - honorsRetryAfter: Whether the server's `Retry-After` takes the place of the delay.
    ///   - budget: The time since the first attempt began within which the next one must begin.
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

    /// Decides by method, then by the response's status, or without one by the error.
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

    /// Whether the method, and the status or the error, are among those that are retried.
    func isRetryable(_ failure: FailedAttempt) -> Bool {
        guard methods.contains(failure.request.method) else { return false }
        if let response = failure.response { return statuses.contains(response.status) }
        guard let error = failure.error, let kind = RetryableFailure(error.reason) else { return false }
        return failures.contains(kind)
    }

    /// The delay after an attempt, counted from 1: scale × base^(attempt − 1), bounded.
    func backoff(attempt: Int) -> Duration {
        let most = maximumDelay.inSeconds
        var seconds = scale.inSeconds
        for _ in 1..<max(1, attempt) {
            seconds *= base
            if !(seconds < most) { break }
        }
        if seconds <= 0 { return .zero }
        // Also what is not a number is at most the longest delay.
        return seconds < most ? .seconds(seconds) : maximumDelay
    }

    /// The delay of a `Retry-After` field: seconds, or the time until a date; nil if it is neither.
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
    /// The policy with Alamofire's defaults.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }

    /// The policy with Alamofire's defaults but for the number of retries and the spread of the delays.
    public static func retryPolicy(
        maximumRetries: Int, scale: Duration = .milliseconds(500), jitter: RetryPolicy.Jitter = .none,
        budget: Duration? = nil
    ) -> RetryPolicy {
        RetryPolicy(maximumRetries: maximumRetries, scale: scale, jitter: jitter, budget: budget)
    }
}

/// The kinds of failure that sending a request again may mend, each for one or several reasons of ``SessionError``.
public enum RetryableFailure: String, Sendable, Hashable, CaseIterable {
    /// ``SessionError/Reason/nameNotResolved``
    case nameNotResolved
    /// ``SessionError/Reason/connectionRefused``
    case connectionRefused
    /// ``SessionError/Reason/connectionFailed``
    case connectionFailed
    /// ``SessionError/Reason/connectionClosed``, ``SessionError/Reason/connectionReset`` and
    /// ``SessionError/Reason/protocolViolation``
    case connectionLost
    /// ``SessionError/Reason/timedOut(_:_:)``, whichever limit it was
    case timedOut
    /// ``SessionError/Reason/tlsFailed``
    case tlsFailed
    /// ``SessionError/Reason/certificate(_:)`` of a certificate that has expired or is not yet valid
    case certificateTime
    /// ``SessionError/Reason/invalidResponse``
    case invalidResponse
    /// ``SessionError/Reason/invalidContentCoding``
    case invalidContentCoding
    /// ``SessionError/Reason/proxyFailed``
    case proxyFailed
    /// ``SessionError/Reason/notInCache``
    case notInCache

    /// The kind of failure that a reason is of, or nil if sending the request again would change nothing.
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

/// Sends requests again whose connection was lost before the response was complete.
///
/// It is ``RetryPolicy`` for ``RetryableFailure/connectionLost`` alone. A kept-alive connection that the server had
/// closed before anything was answered is no failure: the transport takes another one by itself.
public struct ConnectionLostRetryPolicy: Retrier, Hashable {
    /// What it decides by; changes of `failures` and `statuses` make it another policy.
    public var policy: RetryPolicy

    /// Creates a policy.
    /// - Parameters:
    ///   - maximumRetries: How often a request is sent again at most.
    ///   - base: The number that the delay is multiplied by with each retry.
    ///   - scale: The delay before the first retry.
    ///   - methods: The methods of requests that are sent again.
    ///   - jitter: How the delay is spread.
    public init(
        maximumRetries: Int = 2, base: Double = 2, scale: Duration = .milliseconds(500),
        methods: Set<HTTPMethod> = RetryPolicy.defaultMethods, jitter: RetryPolicy.Jitter = .none
    ) {
        policy = RetryPolicy(
            maximumRetries: maximumRetries, base: base, scale: scale, methods: methods, statuses: [],
            failures: [.connectionLost], jitter: jitter)
    }

    /// Decides by method and error.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        await policy.decision(about: failure, context: context)
    }
}

extension Retrier where Self == ConnectionLostRetryPolicy {
    /// The policy for lost connections with Alamofire's defaults.
    public static var connectionLost: ConnectionLostRetryPolicy { ConnectionLostRetryPolicy() }
}
