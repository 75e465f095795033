/// Makes HTTP exchanges with common settings over shared connections.
///
/// ```swift
/// try await withSession(.init(baseURL: "https://api.example.org/v1/")) { session in
///     let text = try await session.get("books/7").validate().string()
/// }
/// ```
///
/// A session is a value to pass on, not a global. Whoever makes one closes it.
public final class Session: Sendable {
    /// The session's settings.
    public let configuration: SessionConfiguration
    /// What carries the requests.
    public let transport: any Transport

    private let preparation: RequestPreparation

    /// Creates a session.
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - transport: What carries the requests; ``close()`` closes it. Nil for a ``NIOTransport`` of its own.
    public init(configuration: SessionConfiguration = .init(), transport: (any Transport)? = nil) {
        self.configuration = configuration
        self.transport = transport ?? NIOTransport()
        preparation = RequestPreparation(configuration)
    }

    /// Ends all exchanges with ``SessionError/Reason/sessionClosed`` and closes all connections.
    public func close() async {
        await transport.close()
    }

    /// Sends a request, follows redirects, and gives the response with its body decoded.
    ///
    /// The exchange runs on the task's preferred executor if that is one of the transport's event loops. Cancelling the
    /// task ends the exchange at once with ``SessionError/Reason/cancelled``.
    /// - Throws: ``SessionError``; a response of any status is not an error.
    public func send(_ request: Request) async throws(SessionError) -> Response {
        var pending = try preparation.prepare(request)
        let jar = request.cookies ?? configuration.cookies
        let ownCookies = pending.headers["Cookie"]
        if let jar, let cookies = jar.header(for: pending.url, own: ownCookies) {
            pending.headers.set("Cookie", cookies)
        }
        let first = try await exchange(pending, request, jar, history: [])
        let policy = request.redirects ?? configuration.redirects
        guard policy.maximum > 0, RedirectFollowing.isRedirect(first) else { return first }
        var redirects = RedirectFollowing(
            policy: policy, request: pending, ownCookies: ownCookies, timeouts: pending.timeouts)
        var response = first
        while let next = try redirects.next(after: response, jar: jar) {
            response = try await exchange(next, request, jar, history: redirects.history)
            response.history = redirects.history
        }
        return response
    }

    private func exchange(
        _ pending: TransportRequest, _ request: Request, _ jar: CookieJar?, history: [Response]
    ) async throws(SessionError) -> Response {
        let result: TransportResponse
        do {
            result = try await transport.send(pending)
        } catch {
            guard !history.isEmpty else { throw error }
            throw RedirectFollowing.extend(
                error, history: history, timeouts: request.timeouts ?? configuration.timeouts)
        }
        jar?.store(result.head.headers, from: pending.url)
        var response = Response(
            head: result.head, body: result.body, trailers: result.trailers,
            request: SentRequest(
                method: pending.method, url: pending.url, headers: pending.headers, body: pending.body),
            metrics: result.metrics, remoteAddress: result.remoteAddress, tls: result.tls)
        if request.decompress, !response.body.isEmpty, result.head.headers.contains("Content-Encoding") {
            try ContentDecoding.decode(&response, limits: pending.limits, history: history)
        }
        return response
    }
}

/// Makes a session for the time of `body`, and closes it however that ends.
/// - Parameters:
///   - configuration: The session's settings.
///   - transport: What carries the requests; nil for a ``NIOTransport``.
///   - body: Uses the session.
public func withSession<Result, Failure: Error>(
    _ configuration: SessionConfiguration = .init(), transport: (any Transport)? = nil,
    _ body: (Session) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    let session = Session(configuration: configuration, transport: transport)
    do {
        let result = try await body(session)
        await session.close()
        return result
    } catch {
        await session.close()
        throw error
    }
}
