import NIOWebSocket

/// A WebSocket to a server (RFC 6455).
///
/// ```swift
/// let socket = try await session.webSocket("wss://example.org/chat", protocols: ["chat.v2"])
/// try await socket.send("hello")
/// for try await message in socket.messages { print(message) }
/// await socket.close()
/// ```
///
/// Pings of the server are answered as long as messages are read: with a mebibyte of unread messages the connection is no
/// longer read from. When nobody holds the socket any more, it is closed with code 1001. Text is checked to be UTF-8;
/// a server that breaks the protocol is told so, and the messages end with an error. No extensions are used.
public final class WebSocket: Sendable {
    /// The response to the handshake, of status 101.
    public let response: Response
    private let link: WebSocketLink

    init(response: Response, link: WebSocketLink) {
        self.response = response
        self.link = link
    }

    deinit {
        link.perform { $0.abandon() }
    }

    /// The subprotocol that the server has chosen; nil if it has chosen none.
    public var subprotocol: String? { link.subprotocol }

    /// How the connection has ended; nil while it has not.
    public var closure: WebSocketClosure? { link.inbox.closure }

    /// The error for which the connection was given up or lost; nil while it is open, and after a close frame of the server.
    public var failure: SessionError? { link.inbox.failure }

    /// Sends a text message, and waits until the network has taken it.
    /// - Throws: ``SessionError``; when the task is cancelled, the message may still be sent.
    public func send(_ text: String) async throws(SessionError) {
        try await send(.text(text))
    }

    /// Sends a binary message, and waits until the network has taken it.
    /// - Throws: ``SessionError``; when the task is cancelled, the message may still be sent.
    public func send(_ bytes: [UInt8]) async throws(SessionError) {
        try await send(.binary(bytes))
    }

    /// Sends a message, and waits until the network has taken it.
    ///
    /// Messages of one task are sent in order.
    /// - Throws: ``SessionError``; when the task is cancelled, the message may still be sent.
    public func send(_ message: WebSocketMessage) async throws(SessionError) {
        let reply = SingleReply<Void>()
        switch message {
        case .text(let text):
            let bytes = Array(text.utf8)
            link.perform { $0.send(.text, bytes, reply) }
        case .binary(let bytes):
            link.perform { $0.send(.binary, bytes, reply) }
        }
        try await reply.value()
    }

    /// The messages that arrive; all iterations share them.
    public var messages: WebSocketMessages { WebSocketMessages(socket: self) }

    /// The next message, or nil once the connection is closed with a close frame.
    /// - Throws: ``SessionError``: when the connection is lost, when the server breaks the protocol, and when the task is
    ///   cancelled; in the last case the connection goes on.
    public func receive() async throws(SessionError) -> WebSocketMessage? {
        try await link.inbox.next { link.perform { $0.release() } }
    }

    /// Sends a ping and waits for the pong, which comes only while messages are read or few are waiting.
    /// - Parameters:
    ///   - payload: At most 125 bytes that the pong repeats; nil for a number of the socket's own.
    ///   - timeout: How long to wait.
    /// - Returns: The time from the ping to its pong.
    /// - Throws: ``SessionError``; ``SessionError/Reason/timedOut(_:_:)`` without a pong in time.
    @discardableResult
    public func ping(_ payload: [UInt8]? = nil, timeout: Duration = .seconds(10)) async throws(SessionError) -> Duration
    {
        if let payload, payload.count > 125 {
            throw SessionError(
                phase: .request, reason: .limitExceeded(.messageBytes, 125),
                message: "the payload of a ping has at most 125 bytes, not \(payload.count)",
                method: response.request.method, url: response.url.description)
        }
        let reply = SingleReply<Duration>()
        link.perform { $0.ping(payload, timeout: timeout, reply) }
        return try await reply.value()
    }

    /// Closes the connection: sends a close frame, waits for the server's and for the end of the connection.
    ///
    /// Messages that arrive meanwhile can still be read. A socket that is closed already stays as it is.
    /// - Parameters:
    ///   - code: The code, which is sent as it is; nil sends none.
    ///   - reason: The reason; what goes beyond 123 bytes is left out.
    /// - Returns: How the connection has ended; without an answer in ``WebSocketOptions/closeTimeout`` it is not clean.
    @discardableResult
    public func close(code: WebSocketCloseCode? = .normal, reason: String = "") async -> WebSocketClosure {
        let reply = SingleReply<Void>()
        link.perform { $0.close(code, reason, reply) }
        // When the task is cancelled, the handshake goes on without it.
        _ = try? await reply.value()
        return closure ?? WebSocketClosure(code: .abnormal, isClean: false, isByServer: false)
    }
}

/// The messages of a WebSocket, to its end.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// A message.
    public typealias Element = WebSocketMessage
    /// Why there are no more.
    public typealias Failure = SessionError

    let socket: WebSocket

    /// An iterator; all iterators of a socket share its messages.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }

    /// Reads messages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let socket: WebSocket

        /// The next message, or nil once the connection is closed with a close frame.
        public nonisolated(nonsending) mutating func next() async throws(SessionError) -> WebSocketMessage? {
            try await socket.receive()
        }

        /// The next message, or nil once the connection is closed with a close frame.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SessionError) -> WebSocketMessage? {
            try await next()
        }
    }
}
