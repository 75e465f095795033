import Synchronization

/// Changes requests before they are sent.
///
/// The session's adapters are asked first, then the request's own, each time the request is sent: for each attempt, and
/// for each redirect to the request's own origin (a redirect to another origin carries no credentials; an adapter that
/// puts one in another field than `Authorization` or `Cookie` names it in ``Request/credentialFields``).
public protocol RequestAdapter: Sendable {
    /// Gives the request to be sent in place of `request`.
    ///
    /// An adapter that sets a field must replace what an earlier call of it has set.
    /// - Throws: Any error: the request then fails with ``SessionError/Reason/adapterFailed``, and the error is its
    ///   ``SessionError/underlying``.
    func adapt(_ request: Request, context: AttemptContext) async throws -> Request
}

/// Decides whether a request is sent again.
public protocol Retrier: Sendable {
    /// Gives the decision about an attempt that failed, or whose response has a status of 400 or more.
    ///
    /// The session's retriers are asked first, then the request's own, until one decides otherwise than
    /// ``RetryDecision/doNotRetry``. A request whose body cannot be sent twice is never sent again, and nobody is asked.
    func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision
}

/// What is to be done after an attempt that failed.
public enum RetryDecision: Sendable {
    /// Send the request again at once.
    case retry
    /// Send the request again after a time.
    case retryAfter(Duration)
    /// Leave it at that; other retriers are asked.
    case doNotRetry
    /// Leave it at that with another error; no other retrier is asked.
    ///
    /// The failure is the ``SessionError/originalError`` of what the caller gets.
    case doNotRetryWithError(any Error)
}

/// A stage that both adapts requests and decides about retries, such as the answer to an authentication challenge.
///
/// It is neither a ``RequestAdapter`` nor a ``Retrier``: one half alone would leave the challenge unanswered. Give it to a
/// request with ``PendingExchange/intercept(with:)``, to a session with ``SessionConfiguration/intercept(with:)``.
public protocol RequestInterceptor: Sendable {
    /// Returns the request to be sent in place of `request`, as ``RequestAdapter/adapt(_:context:)`` does.
    func adapt(_ request: Request, context: AttemptContext) async throws -> Request

    /// Returns the decision about an attempt that failed, as ``Retrier/decision(about:context:)`` does.
    func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision
}

extension RequestInterceptor {
    /// The half that adapts requests.
    var adapter: any RequestAdapter { Halves(interceptor: self) }
    /// The half that decides about retries.
    var retrier: any Retrier { Halves(interceptor: self) }
}

/// The two halves of an interceptor, which are always given together.
private struct Halves<Interceptor: RequestInterceptor>: RequestAdapter, Retrier {
    let interceptor: Interceptor

    func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        try await interceptor.adapt(request, context: context)
    }

    func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        await interceptor.decision(about: failure, context: context)
    }
}

/// What adapters and retriers know of the attempt that they are asked about.
public struct AttemptContext: Sendable {
    /// The request's number.
    public let id: RequestID
    /// The attempt, from 1.
    public let attempt: Int
    /// How many redirects led to what is sent now; an adapter is asked again for a redirect to the same origin.
    public let redirects: Int
    /// The session that sends the request, also for requests that an adapter makes itself, such as for a token.
    public let session: Session
    /// What the library's own adapters and retriers keep of the request.
    let memory: RequestMemory

    init(
        id: RequestID, attempt: Int, redirects: Int = 0, session: Session, memory: RequestMemory = RequestMemory()
    ) {
        self.id = id
        self.attempt = attempt
        self.redirects = redirects
        self.session = session
        self.memory = memory
    }

    /// The absolute URL of a request.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/invalidURL``.
    public func url(of request: Request) throws(SessionError) -> HTTPURL {
        try session.url(of: request)
    }
}

/// What adapters and retriers remember of one request from attempt to attempt.
final class RequestMemory: Sendable {
    /// What one of them remembers.
    struct Note: Sendable {
        /// The credential that the request was last given, by its number; nil if it was given none.
        var generation: Int?
        /// How often it has acted on a refusal.
        var count = 0
        /// The trace that the request is of.
        var trace: TraceContext?
    }

    private let notes = Mutex<[ObjectIdentifier: Note]>([:])

    /// What `owner` remembers.
    func note(of owner: AnyObject) -> Note {
        notes.withLock { $0[ObjectIdentifier(owner)] ?? Note() }
    }

    /// Changes what `owner` remembers.
    func change(_ owner: AnyObject, _ body: (inout Note) -> Void) {
        notes.withLock { body(&$0[ObjectIdentifier(owner), default: Note()]) }
    }
}

/// An adapter that is made of a function.
///
/// ```swift
/// configuration.adapters.append(
///     ClosureAdapter { request, context in
///         request.headers.set(name: "X-Attempt", value: String(context.attempt))
///     })
/// ```
public struct ClosureAdapter: RequestAdapter {
    /// A function that changes a request before it is sent.
    public typealias Body = @Sendable (_ request: inout Request, _ context: AttemptContext) async throws -> Void

    private let body: Body

    /// Creates an adapter of a function that changes the request.
    public init(_ body: @escaping Body) {
        self.body = body
    }

    /// Returns the request as the function has changed it.
    public func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        var request = request
        try await body(&request, context)
        return request
    }
}

/// A retrier that is made of a function.
///
/// ```swift
/// configuration.retriers.append(
///     ClosureRetrier { failure, context in
///         failure.response?.status == 423 && context.attempt < 5 ? .retryAfter(.seconds(1)) : .doNotRetry
///     })
/// ```
public struct ClosureRetrier: Retrier {
    /// A function that decides about an attempt that failed.
    public typealias Body = @Sendable (_ failure: FailedAttempt, _ context: AttemptContext) async -> RetryDecision

    private let body: Body

    /// Creates a retrier of a function that gives the decision.
    public init(_ body: @escaping Body) {
        self.body = body
    }

    /// Returns the function's decision.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        await body(failure, context)
    }
}

extension PendingExchange {
    /// Changes the request by a function before each attempt.
    public func adapt(_ body: @escaping ClosureAdapter.Body) -> PendingExchange {
        adapt(with: ClosureAdapter(body))
    }

    /// Decides by a function whether the request is sent again.
    public func retry(_ body: @escaping ClosureRetrier.Body) -> PendingExchange {
        retry(with: ClosureRetrier(body))
    }

    /// Refuses a response that a function finds fault with.
    /// - Parameter check: Returns the finding in words, or nil if the response is acceptable.
    public func validate(_ check: @escaping @Sendable (_ response: Response) -> String?) -> PendingExchange {
        validate(Validator(check))
    }
}
