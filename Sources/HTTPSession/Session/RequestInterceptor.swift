import Synchronization

/// A type that changes requests before they are sent.
///
/// The session's adapters run first, then the request's own. They run each time the request is sent: for every attempt,
/// and for every redirect to the request's own origin. A redirect to another origin carries no credentials. An adapter
/// that puts a credential in a field other than `Authorization` or `Cookie` adds that field's name to
/// ``Request/credentialFields``.
///
/// ```swift
/// struct APIVersion: RequestAdapter {
///     func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
///         var request = request
///         request.headers.set(name: "X-API-Version", value: "2")
///         return request
///     }
/// }
/// ```
public protocol RequestAdapter: Sendable {
    /// Returns the request to send in place of `request`.
    ///
    /// The method is called again for each attempt, so it must replace a field that it set before, not append to it.
    /// - Parameters:
    ///   - request: The request as the caller and the preceding adapters made it.
    ///   - context: The current attempt.
    /// - Throws: Any error. The request then fails with ``SessionError/Reason/adapterFailed``, and the error becomes
    ///   its ``SessionError/underlying``.
    func adapt(_ request: Request, context: AttemptContext) async throws -> Request
}

/// A type that decides whether a failed request is retried.
///
/// ```swift
/// struct LockedRetrier: Retrier {
///     func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
///         failure.response?.status == 423 && context.attempt < 5 ? .retryAfter(.seconds(1)) : .doNotRetry
///     }
/// }
/// ```
public protocol Retrier: Sendable {
    /// Returns whether to retry after an attempt that failed or whose response has a status of 400 or greater.
    ///
    /// The session's retriers are asked first, then the request's own, until one returns a decision other than
    /// ``RetryDecision/doNotRetry``. A request whose body cannot be sent twice is never retried, and no retrier is
    /// asked.
    /// - Parameters:
    ///   - failure: The failed attempt.
    ///   - context: The number of the attempt, and the session that sends the request.
    func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision
}

/// The decision of a retrier after a failed attempt.
public enum RetryDecision: Sendable {
    /// Retry immediately.
    case retry
    /// Retry after a delay.
    case retryAfter(Duration)
    /// Do not retry, unless another retrier decides otherwise.
    case doNotRetry
    /// Do not retry, and fail with the given error without asking other retriers.
    ///
    /// The original failure becomes the ``SessionError/originalError`` of the error that the caller receives.
    case doNotRetryWithError(any Error)
}

/// A type that both adapts and retries requests, such as one that answers authentication challenges.
///
/// An interceptor is neither a ``RequestAdapter`` nor a ``Retrier``, because either half alone would leave a challenge
/// unanswered. Add it to a request with ``PendingExchange/intercept(with:)``, or to a session with
/// ``SessionConfiguration/intercept(with:)``.
public protocol RequestInterceptor: Sendable {
    /// Returns the request to send in place of `request`, like ``RequestAdapter/adapt(_:context:)``.
    func adapt(_ request: Request, context: AttemptContext) async throws -> Request

    /// Returns whether to retry after a failed attempt, like ``Retrier/decision(about:context:)``.
    func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision
}

extension RequestInterceptor {
    /// The half that adapts requests.
    var adapter: any RequestAdapter { Halves(interceptor: self) }
    /// The half that decides whether to retry.
    var retrier: any Retrier { Halves(interceptor: self) }
}

/// The adapter and the retrier of an interceptor, which are always added together.
private struct Halves<Interceptor: RequestInterceptor>: RequestAdapter, Retrier {
    let interceptor: Interceptor

    func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        try await interceptor.adapt(request, context: context)
    }

    func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        await interceptor.decision(about: failure, context: context)
    }
}

/// The attempt that an adapter or a retrier is asked about.
public struct AttemptContext: Sendable {
    /// The request's number, unique in the session.
    public let id: RequestID
    /// The number of the attempt, starting with 1.
    public let attempt: Int
    /// The number of redirects followed in this attempt.
    ///
    /// Adapters run again for a redirect to the same origin.
    public let redirects: Int
    /// The session that sends the request; an adapter can use it for its own requests, such as one for a token.
    public let session: Session
    /// The state that the library's own adapters and retriers keep for the request.
    let memory: RequestState

    init(
        id: RequestID, attempt: Int, redirects: Int = 0, session: Session, memory: RequestState = RequestState()
    ) {
        self.id = id
        self.attempt = attempt
        self.redirects = redirects
        self.session = session
        self.memory = memory
    }

    /// Returns the absolute URL of a request.
    /// - Parameter request: The request, whose URL may be relative to the session's base URL.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/invalidURL``.
    public func url(of request: Request) throws(SessionError) -> HTTPURL {
        try session.url(of: request)
    }
}

/// The state that adapters and retriers keep for one request across attempts.
final class RequestState: Sendable {
    /// The state of a single adapter or retrier.
    struct Note: Sendable {
        /// The number of the credential last applied to the request; nil if none was applied.
        var generation: Int?
        /// The number of times that the interceptor has responded to a challenge.
        var count = 0
        /// The trace that the request belongs to.
        var trace: TraceContext?
    }

    private let notes = Mutex<[ObjectIdentifier: Note]>([:])

    /// Returns the state of `owner`.
    func note(of owner: AnyObject) -> Note {
        notes.withLock { $0[ObjectIdentifier(owner)] ?? Note() }
    }

    /// Changes the state of `owner`.
    func change(_ owner: AnyObject, _ body: (inout Note) -> Void) {
        notes.withLock { body(&$0[ObjectIdentifier(owner), default: Note()]) }
    }
}

/// An adapter that calls a closure.
///
/// ```swift
/// configuration.adapters.append(
///     ClosureAdapter { request, context in
///         request.headers.set(name: "X-Attempt", value: String(context.attempt))
///     })
/// ```
public struct ClosureAdapter: RequestAdapter {
    /// A closure that changes a request before it is sent.
    public typealias Body = @Sendable (_ request: inout Request, _ context: AttemptContext) async throws -> Void

    private let body: Body

    /// Creates an adapter from a closure that changes the request.
    public init(_ body: @escaping Body) {
        self.body = body
    }

    /// Returns the request as changed by the closure.
    public func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        var request = request
        try await body(&request, context)
        return request
    }
}

/// A retrier that calls a closure.
///
/// ```swift
/// configuration.retriers.append(
///     ClosureRetrier { failure, context in
///         failure.response?.status == 423 && context.attempt < 5 ? .retryAfter(.seconds(1)) : .doNotRetry
///     })
/// ```
public struct ClosureRetrier: Retrier {
    /// A closure that decides whether a failed attempt is retried.
    public typealias Body = @Sendable (_ failure: FailedAttempt, _ context: AttemptContext) async -> RetryDecision

    private let body: Body

    /// Creates a retrier from a closure that returns the decision.
    public init(_ body: @escaping Body) {
        self.body = body
    }

    /// Returns the decision of the closure.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        await body(failure, context)
    }
}

extension PendingExchange {
    /// Adds a closure that changes the request before each attempt.
    public func adapt(_ body: @escaping ClosureAdapter.Body) -> PendingExchange {
        adapt(with: ClosureAdapter(body))
    }

    /// Adds a closure that decides whether the request is retried after a failure.
    public func retry(_ body: @escaping ClosureRetrier.Body) -> PendingExchange {
        retry(with: ClosureRetrier(body))
    }

    /// Rejects a response if a closure returns a finding.
    /// - Parameter check: A closure that returns a description of the problem, or nil if the response is acceptable.
    public func validate(_ check: @escaping @Sendable (_ response: Response) -> String?) -> PendingExchange {
        validate(Validator(check))
    }
}
