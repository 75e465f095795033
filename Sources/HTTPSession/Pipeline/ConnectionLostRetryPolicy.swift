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
