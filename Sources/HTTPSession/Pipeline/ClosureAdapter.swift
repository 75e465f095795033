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
