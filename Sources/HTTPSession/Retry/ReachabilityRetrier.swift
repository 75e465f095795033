/// A retrier that waits until the host accepts connections, and then retries the request.
///
/// It handles only failures to connect, after which nothing of the request was sent. If a redirect came first, it also
/// requires an idempotent method. It is the counterpart of Alamofire's `OfflineRetrier` for machines that are always
/// online.
///
/// ```swift
/// configuration.retriers = [ReachabilityRetrier(within: .seconds(10))]
/// ```
public struct ReachabilityRetrier: Retrier {
    /// The maximum time to wait for the host.
    public var limit: Duration
    /// The pause between two connection attempts.
    public var interval: Duration
    /// The maximum number of retries of a request.
    public var retries: Int

    /// Creates a retrier.
    /// - Parameters:
    ///   - limit: The maximum time to wait for the host.
    ///   - interval: The pause between two connection attempts.
    ///   - retries: The maximum number of retries of a request.
    public init(within limit: Duration = .seconds(30), every interval: Duration = .milliseconds(250), retries: Int = 3)
    {
        self.limit = limit
        self.interval = interval
        self.retries = retries
    }

    /// Waits for the host of a request that could not connect, and then retries.
    public func decision(about failure: FailedAttempt, context: AttemptContext) async -> RetryDecision {
        guard context.attempt <= retries, let error = failure.error, error.response == nil else { return .doNotRetry }
        switch error.reason {
        case .nameNotResolved, .connectionRefused, .connectionFailed, .timedOut(.connect, _): break
        default: return .doNotRetry
        }
        // If a redirect was followed, the first request was sent, and a retry would send it again.
        guard error.history.isEmpty || failure.request.method.isIdempotent else { return .doNotRetry }
        let session = context.session
        do throws(SessionError) {
            // After a redirect, the unreachable host may differ from the request's host.
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
    /// Waits until a host accepts TCP connections, and optionally completes a TLS handshake.
    ///
    /// The connections are made like those of requests, with the session's proxy and address overrides. Nothing is sent
    /// over them. A proxy that forwards `http` requests is asked for a tunnel.
    /// - Parameters:
    ///   - host: A host name or an IP address.
    ///   - port: The port.
    ///   - tls: Whether a TLS handshake must also succeed.
    ///   - limit: The maximum time to wait.
    ///   - interval: The pause between the end of an attempt and the next one.
    /// - Throws: The ``SessionError`` of the last attempt when the time is up. A failure that waiting cannot resolve is
    ///   thrown immediately: a cancelled task, a closed session, an untrusted certificate or invalid settings.
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
    /// Whether the failure is a connection failure that may be temporary.
    var isWorthWaiting: Bool {
        switch reason {
        case .nameNotResolved, .connectionRefused, .connectionFailed, .connectionClosed, .connectionReset, .tlsFailed,
            .proxyFailed, .timedOut(.connect, _):
            true
        default: false
        }
    }
}
