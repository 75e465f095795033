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

extension Session {
    /// Waits until a host can be connected to, by TCP and, if wanted, TLS.
    ///
    /// The connections are made as those of requests, through the session's proxy and overrides, and nothing is sent over
    /// them. A proxy that forwards `http` requests is asked for a tunnel.
    /// - Parameters:
    ///   - host: A name or an IP address.
    ///   - port: The port.
    ///   - tls: Whether a TLS handshake must succeed too.
    ///   - limit: How long to go on trying.
    ///   - interval: The pause between the end of an attempt and the next.
    /// - Throws: ``SessionError`` of the last attempt when the time is up, at once for what no waiting changes: a
    ///   cancelled task, a closed session, a certificate that is not trusted, settings that cannot be used.
    public func waitUntilReachable(
        _ host: String, port: Int, tls: Bool = false, within limit: Duration = .seconds(30),
        every interval: Duration = .milliseconds(250)
    ) async throws(SessionError) {
        let name = host.hasPrefix("[") ? host : IPAddress.bracketed(host)
        let url = try url(of: Request(.get, url: "\(tls ? "https" : "http")://\(name):\(port)/"))
        try await waitUntilReachable(
            url, connection: configuration.connection, timeouts: configuration.timeouts, within: limit, every: interval)
    }

    func waitUntilReachable(
        _ url: HTTPURL, connection: ConnectionOptions, timeouts: Timeouts, within limit: Duration,
        every interval: Duration
    ) async throws(SessionError) {
        let clock = configuration.clock
        let started = clock.now()
        var request = TransportRequest(method: .get, url: url, timeouts: timeouts, connection: connection)
        request.connectsOnly = true
        while true {
            let left = limit - (clock.now() - started)
            if left > .zero { request.timeouts.connect = min(timeouts.connect ?? left, left) }
            do throws(SessionError) {
                return try await transport.connect(request)
            } catch {
                guard error.isWorthWaiting else { throw error }
                let pause = min(max(interval, .milliseconds(1)), limit - (clock.now() - started))
                await lifetime.sleep(pause, clock: clock)
                if let end = lifetime.interruption(of: "wait") {
                    throw SessionError(
                        phase: .connect, reason: end.reason, message: end.message, url: url.description)
                }
                guard clock.now() - started < limit else {
                    var error = error
                    error.message +=
                        "; \(url.authorityWithPort) was not reachable within \(TransportExchange.seconds(limit))"
                    throw error
                }
            }
        }
    }
}

extension SessionError {
    /// Whether the failure is one of making a connection that may go away by itself.
    var isWorthWaiting: Bool {
        switch reason {
        case .nameNotResolved, .connectionRefused, .connectionFailed, .connectionClosed, .connectionReset, .tlsFailed,
            .proxyFailed, .timedOut(.connect, _):
            true
        default: false
        }
    }
}
