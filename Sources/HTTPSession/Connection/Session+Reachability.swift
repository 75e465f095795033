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
        let name = host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[") ? "[\(host)]" : host
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
                if Task.isCancelled || lifetime.isEnded {
                    let reason: SessionError.Reason = Task.isCancelled ? .cancelled : .sessionClosed
                    let message = Task.isCancelled ? "the wait was cancelled" : "the session was closed"
                    throw SessionError(phase: .connect, reason: reason, message: message, url: url.description)
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
