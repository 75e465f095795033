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
