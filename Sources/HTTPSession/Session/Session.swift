import Synchronization

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

    let preparation: RequestPreparation
    let lifetime = SessionLifetime()
    let coalescer: RequestCoalescer?
    private let lastID = Atomic<UInt64>(0)
    /// Whether a request has nothing to pass through but the transport.
    let isPlain: Bool
    /// Whether the transport is this library's, which sends what it is given.
    let hasOwnTransport: Bool

    /// Creates a session.
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - transport: What carries the requests; ``close()`` closes it. Nil for a ``NIOTransport`` of its own.
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

    /// Ends all exchanges with ``SessionError/Reason/sessionClosed``, closes all connections, and waits for that.
    public func close() async {
        lifetime.end()
        await transport.close()
    }

    /// Sends a request, follows redirects, and gives the response with its body decoded.
    ///
    /// It runs where its caller does, and the exchange too if that is one of the transport's event loops. Cancelling the
    /// task ends the exchange at once with ``SessionError/Reason/cancelled``.
    /// - Throws: ``SessionError``; a response of any status is not an error.
    public nonisolated(nonsending) func send(_ request: Request) async throws(SessionError) -> Response {
        if isPlain {
            return try await RequestExchange(session: self, request: request).response()
        }
        return try await ExchangePipeline(session: self, request: request).run()
    }

    /// Sends a request, follows redirects, and gives the response as soon as its head is there.
    /// - Throws: ``SessionError``; a response of any status is not an error. Reading the body may throw it too.
    public func stream(_ request: Request) async throws(SessionError) -> StreamedResponse {
        try await ExchangePipeline(session: self, request: request, delivery: .streamed).stream()
    }

    /// The absolute URL of a request.
    func url(of request: Request) throws(SessionError) -> HTTPURL {
        try preparation.url(of: request)
    }

    /// The number of a new request.
    func makeID() -> RequestID {
        RequestID(lastID.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}

/// Creates a session, passes it to `body`, and closes it when `body` returns or throws.
///
/// `body` runs where the caller does, so it can use the state of the caller's actor.
/// - Parameters:
///   - configuration: The session's settings.
///   - transport: What carries the requests; nil for a ``NIOTransport``.
///   - body: Uses the session.
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
    /// An exchange of the given request; nothing is sent before its response is asked for.
    public func request(_ request: Request) -> PendingExchange {
        PendingExchange(session: self, request: request)
    }

    /// A GET of a URL or a reference to be resolved against the base URL.
    public func get(_ url: some URLConvertible, headers: HTTPHeaders = .init()) -> PendingExchange {
        request(Request(.get, url: url, headers: headers))
    }

    /// A HEAD of a URL or a reference to be resolved against the base URL.
    public func head(_ url: some URLConvertible, headers: HTTPHeaders = .init()) -> PendingExchange {
        request(Request(.head, url: url, headers: headers))
    }

    /// An OPTIONS of a URL or a reference to be resolved against the base URL.
    public func options(_ url: some URLConvertible, headers: HTTPHeaders = .init()) -> PendingExchange {
        request(Request(.options, url: url, headers: headers))
    }

    /// A DELETE of a URL or a reference to be resolved against the base URL.
    public func delete(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.delete, url: url, headers: headers, body: body))
    }

    /// A POST to a URL or a reference to be resolved against the base URL.
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.post, url: url, headers: headers, body: body))
    }

    /// A PUT to a URL or a reference to be resolved against the base URL.
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.put, url: url, headers: headers, body: body))
    }

    /// A PATCH of a URL or a reference to be resolved against the base URL.
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.patch, url: url, headers: headers, body: body))
    }
}
