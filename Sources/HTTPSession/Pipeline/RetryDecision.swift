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
