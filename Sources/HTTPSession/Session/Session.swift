import Synchronization

/// An HTTP client that sends requests with common settings over shared connections.
///
/// ```swift
/// try await withSession(.init(baseURL: "https://api.example.org/v1/")) { session in
///     let text = try await session.get("books/7").validate().string()
/// }
/// ```
///
/// A session is an object that you pass around, not a global. The code that creates a session closes it.
public final class Session: Sendable {
    /// The session's settings.
    public let configuration: SessionConfiguration
    /// The transport that carries the requests.
    public let transport: any Transport

    let preparation: RequestPreparation
    let lifetime = SessionLifetime()
    let coalescer: RequestCoalescer?
    private let lastID = Atomic<UInt64>(0)
    /// Whether requests go directly to the transport because the session has no other stages.
    ///
    /// Such requests skip ``ExchangePipeline``, which saves 9,400 instructions, 6% of a test. `StageAgreementTests`
    /// compares
    /// both paths.
    let isPlain: Bool
    /// Whether the transport is a ``NIOTransport``, which sends a request exactly as given.
    let hasOwnTransport: Bool

    /// Creates a session.
    /// - Parameters:
    ///   - configuration: The session's settings.
    ///   - transport: The transport that carries the requests, or nil for a new ``NIOTransport``. ``close()`` closes
    ///     it.
    public init(configuration: SessionConfiguration = .init(), transport: (any Transport)? = nil) {
        self.configuration = configuration
        self.transport = transport ?? NIOTransport()
        hasOwnTransport = self.transport is NIOTransport
        preparation = RequestPreparation(configuration)
        coalescer = configuration.coalescesRequests ? RequestCoalescer() : nil
        isPlain =
            configuration.adapters.isEmpty && configuration.retriers.isEmpty && configuration.monitors.isEmpty
            && !configuration.coalescesRequests
    }

    /// Cancels all exchanges, closes all connections, and returns when they are closed.
    ///
    /// Exchanges in flight fail with ``SessionError/Reason/sessionClosed``.
    public func close() async {
        lifetime.end()
        await transport.close()
    }

    /// Sends a request, follows redirects, and returns the response with its body decoded.
    ///
    /// The function runs on the caller's executor. If that is one of the transport's event loops, the exchange runs on
    /// it too. Cancelling the task ends the exchange at once with ``SessionError/Reason/cancelled``.
    /// - Parameter request: The request to send.
    /// - Returns: The response, with any status.
    /// - Throws: ``SessionError`` if no complete response arrives. An error status such as 404 does not throw.
    public nonisolated(nonsending) func send(_ request: Request) async throws(SessionError) -> Response {
        if isPlain {
            return try await attempt(of: request).response()
        }
        return try await pipeline(for: request).run()
    }

    // Not inlined, because copies of the request would become locals of the asynchronous function.
    @inline(never)
    private func pipeline(for request: Request) -> ExchangePipeline {
        ExchangePipeline(session: self, request: request)
    }

    @inline(never)
    private func attempt(of request: Request) -> RequestAttempt {
        RequestAttempt(session: self, request: request)
    }

    /// Sends a request, follows redirects, and returns the response as soon as its head arrives.
    /// - Parameter request: The request to send.
    /// - Returns: The response, with any status, and the stream of its body.
    /// - Throws: ``SessionError`` if no response head arrives. An error status such as 404 does not throw. Reading the
    ///   body can throw ``SessionError`` too.
    public func stream(_ request: Request) async throws(SessionError) -> StreamedResponse {
        try await ExchangePipeline(session: self, request: request, delivery: .streamed).stream()
    }

    /// Returns the absolute URL of a request.
    func url(of request: Request) throws(SessionError) -> HTTPURL {
        try preparation.url(of: request)
    }

    /// Returns a new request number, unique in the session.
    func makeID() -> RequestID {
        RequestID(lastID.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}

/// Creates a session, passes it to `body`, and closes it when `body` returns or throws.
///
/// `body` runs on the caller's executor, so it can use the state of the caller's actor.
/// - Parameters:
///   - configuration: The session's settings.
///   - transport: The transport that carries the requests, or nil for a new ``NIOTransport``.
///   - body: A closure that uses the session.
/// - Returns: The value that `body` returns.
/// - Throws: The error that `body` throws.
public nonisolated(nonsending) func withSession<Result, Failure: Error>(
    _ configuration: SessionConfiguration = .init(), transport: (any Transport)? = nil,
    _ body: nonisolated(nonsending) (Session) async throws(Failure) -> Result
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

extension Session {
    /// Creates an exchange for a request.
    ///
    /// Nothing is sent until you ask for the response.
    /// - Parameter request: The request.
    public func request(_ request: Request) -> PendingExchange {
        PendingExchange(session: self, request: request)
    }

    /// Creates a GET request for a URL.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    public func get(_ url: some URLConvertible, headers: HTTPHeaders = .init()) -> PendingExchange {
        request(Request(.get, url: url, headers: headers))
    }

    /// Creates a HEAD request for a URL.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    public func head(_ url: some URLConvertible, headers: HTTPHeaders = .init()) -> PendingExchange {
        request(Request(.head, url: url, headers: headers))
    }

    /// Creates an OPTIONS request for a URL.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    public func options(_ url: some URLConvertible, headers: HTTPHeaders = .init()) -> PendingExchange {
        request(Request(.options, url: url, headers: headers))
    }

    /// Creates a DELETE request for a URL.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - body: The body.
    public func delete(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.delete, url: url, headers: headers, body: body))
    }

    /// Creates a POST request to a URL.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - body: The body.
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.post, url: url, headers: headers, body: body))
    }

    /// Creates a PUT request to a URL.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - body: The body.
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.put, url: url, headers: headers, body: body))
    }

    /// Creates a PATCH request for a URL.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - body: The body.
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.patch, url: url, headers: headers, body: body))
    }
}
