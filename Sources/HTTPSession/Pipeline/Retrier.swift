/// Decides whether a request is sent again.
public protocol Retrier: Sendable {
    /// Gives the decision about an attempt that failed, or whose response has a status of 400 or more.
    ///
    /// The session's retriers are asked first, then the request's own, until one decides otherwise than
    /// ``RetryDecision/doNotRetry``. A request whose body cannot be sent twice is never sent again, and nobody is asked.
    func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision
}
