/// Waits until a host can be connected to again, and then has the request sent again.
///
/// It acts on failures to make a connection only, in which nothing of the request was sent, or after redirects, where the method
/// is idempotent; it is the counterpart of Alamofire's `OfflineRetrier` for a machine that is always online.
public struct ReachabilityRetrier: Retrier {
    /// How long to wait for the host.
    public var limit: Duration
    /// The pause between two attempts to connect.
    public var interval: Duration
    /// How many times a request is sent again at most.
    public var retries: Int

    /// Creates a retrier.
    public init(within limit: Duration = .seconds(30), every interval: Duration = .milliseconds(250), retries: Int = 3)
    {
        self.limit = limit
        self.interval = interval
        self.retries = retries
    }

    /// Waits for the host of a request that could not be connected to.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        guard context.attempt <= retries, let error = failure.error, error.response == nil else { return .doNotRetry }
        switch error.reason {
        case .nameNotResolved, .connectionRefused, .connectionFailed, .timedOut(.connect, _): break
        default: return .doNotRetry
        }
        // The request itself was sent where a redirect led on, and all begins with it again.
        guard error.history.isEmpty || failure.request.method.isIdempotent else { return .doNotRetry }
        let session = context.session
        do throws(SessionError) {
            // After a redirect it is another host than the request's that was not reached.
            let url = try context.url(of: Request(.get, url: error.url.isEmpty ? failure.request.url : error.url))
            try await session.waitUntilReachable(
                url, connection: failure.request.connection.inheriting(from: session.configuration.connection),
                timeouts: failure.request.timeouts.inheriting(from: session.configuration.timeouts), within: limit,
                every: interval)
            return .retry
        } catch {
            return .doNotRetry
        }
    }
}
