import Basics
public import FoundationEssentials
public import NIOCore
import NIOWebSocket

/// A client WebSocket (RFC 6455).
///
/// ```swift
/// let socket = try await session.webSocket("wss://example.org/chat", protocols: ["chat.v2"])
/// try await socket.send("hello")
/// for try await message in socket.messages { print(message) }
/// await socket.close()
/// ```
///
/// Pings of the server are answered while messages are read: with a mebibyte of unread messages, the connection is no
/// longer read. The socket is closed with code 1001 when its last reference is released. Text is validated as UTF-8. If
/// the server violates the protocol, it receives a close frame with the reason, and the messages end with an error. No
/// extensions are used.
public final class WebSocket: Sendable {
    /// The response to the handshake, with status 101.
    public let response: Response
    private let link: WebSocketLink

    init(response: Response, link: WebSocketLink) {
        self.response = response
        self.link = link
    }

    deinit {
        link.perform { $0.abandon() }
    }

    /// The subprotocol chosen by the server; nil if it chose none.
    public var subprotocol: String? { link.subprotocol }

    /// The way in which the connection ended; nil while it is open.
    public var closure: WebSocketClosure? { link.inbox.closure }

    /// The error that ended the connection; nil while it is open, and after a close frame from the server.
    public var failure: SessionError? { link.inbox.failure }

    /// Sends a text message and waits until it has been handed to the network.
    /// - Throws: ``SessionError``; if the task is cancelled, the message may still be sent.
    public func send(_ text: String) async throws(SessionError) {
        try await send(.text(text))
    }

    /// Sends a binary message and waits until it has been handed to the network.
    /// - Throws: ``SessionError``; if the task is cancelled, the message may still be sent.
    public func send(_ bytes: [UInt8]) async throws(SessionError) {
        try await send(.binary(bytes))
    }

    /// Sends a message and waits until it has been handed to the network.
    ///
    /// Messages of one task are sent in order.
    /// - Throws: ``SessionError``; if the task is cancelled, the message may still be sent.
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

    /// The incoming messages; all iterations share them.
    public var messages: WebSocketMessages { WebSocketMessages(socket: self) }

    /// Returns the next message, or nil after the connection has been closed with a close frame.
    /// - Throws: ``SessionError`` if the connection is lost, the server violates the protocol, or the task is
    ///   cancelled; a cancellation leaves the connection open.
    public func receive() async throws(SessionError) -> WebSocketMessage? {
        try await link.inbox.next { link.perform { $0.release() } }
    }

    /// Sends a ping and waits for its pong.
    ///
    /// The pong arrives only while messages are being read, or while few of them are unread.
    /// - Parameters:
    ///   - payload: The payload, at most 125 bytes, which the pong repeats; nil for a generated number.
    ///   - timeout: The maximum time to wait for the pong.
    /// - Returns: The time between the ping and its pong.
    /// - Throws: ``SessionError``; ``SessionError/Reason/timedOut(_:_:)`` if no pong arrives in time.
    @discardableResult
    public func ping(_ payload: [UInt8]? = nil, timeout: Duration = .seconds(10)) async throws(SessionError) -> Duration
    {
        if let payload, payload.count > 125 {
            throw SessionError(
                phase: .request, reason: .limitExceeded(.messageBytes, 125),
                message: "the payload of a ping must have at most 125 bytes, got \(payload.count)",
                method: response.request.method, url: response.url.description)
        }
        let reply = SingleReply<Duration>()
        link.perform { $0.ping(payload, timeout: timeout, reply) }
        return try await reply.value()
    }

    /// Closes the connection: sends a close frame, waits for the server's, and waits until the connection is closed.
    ///
    /// Messages that arrive in the meantime can still be read. Closing a closed socket has no effect.
    /// - Parameters:
    ///   - code: The close code, sent without validation; nil sends none.
    ///   - reason: The reason, truncated to 123 bytes.
    /// - Returns: The way in which the connection ended; it is not clean without a response within
    ///   ``WebSocketOptions/closeTimeout``.
    @discardableResult
    public func close(code: WebSocketCloseCode? = .normal, reason: String = "") async -> WebSocketClosure {
        let reply = SingleReply<Void>()
        link.perform { $0.close(code, reason, reply) }
        // If the task is cancelled, the closing handshake continues without it.
        _ = try? await reply.value()
        return closure ?? WebSocketClosure(code: .abnormal, isClean: false, isByServer: false)
    }
}

/// The incoming messages of a WebSocket until it is closed.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// A message of the WebSocket.
    public typealias Element = WebSocketMessage
    /// The error that ends the sequence.
    public typealias Failure = SessionError

    let socket: WebSocket

    /// Returns an iterator; all iterators of a socket share its messages.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }

    /// The iterator over incoming messages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let socket: WebSocket

        /// Returns the next message, or nil after the connection has been closed with a close frame.
        public nonisolated(nonsending) mutating func next() async throws(SessionError) -> WebSocketMessage? {
            try await socket.receive()
        }

        /// Returns the next message, or nil after the connection has been closed with a close frame.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SessionError) -> WebSocketMessage? {
            try await next()
        }
    }
}

/// A message of a WebSocket (RFC 6455, section 5.6).
public enum WebSocketMessage: Sendable, Hashable {
    /// A text message.
    case text(String)
    /// A binary message.
    case binary([UInt8])

    /// The length of the message in bytes.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}

/// The limits and timeouts of a WebSocket.
///
/// ```swift
/// let options = WebSocketOptions(maximumMessageBytes: 1 << 20, pingInterval: .seconds(30))
/// ```
public struct WebSocketOptions: Sendable, Hashable {
    /// The maximum size of an incoming message in bytes, all fragments included; a larger one closes the connection
    /// with 1009.
    public var maximumMessageBytes: Int
    /// The maximum time for the server to respond to a close frame and to close the connection afterward.
    public var closeTimeout: Duration
    /// The idle time before a ping, and the time to wait for a sign of life after it; nil disables keep-alive pings.
    public var pingInterval: Duration?

    /// Creates options; by default, messages of at most 16 MiB, 5 seconds to close, and no pings.
    public init(
        maximumMessageBytes: Int = 16 << 20, closeTimeout: Duration = .seconds(5), pingInterval: Duration? = nil
    ) {
        self.maximumMessageBytes = maximumMessageBytes
        self.closeTimeout = closeTimeout
        self.pingInterval = pingInterval
    }
}

/// A close code of a WebSocket (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The numeric code.
    public var rawValue: UInt16

    /// Creates a close code from its number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The purpose of the connection is fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// The server is shutting down, or the client has moved on.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// The peer has violated the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A message has an unsupported type.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// The close frame had no code; never sent.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// There was no close frame; never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// A text message was not valid UTF-8.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// A message violated a policy of the endpoint.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message was too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// The server lacks an extension that the client requires.
    public static let mandatoryExtension = WebSocketCloseCode(rawValue: 1010)
    /// The server encountered an internal error.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)

    /// Whether the code is allowed in a close frame.
    var isValidOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The numeric code.
    public var description: String { String(rawValue) }
}

/// The way in which a WebSocket connection ended (RFC 6455, section 7.1).
public struct WebSocketClosure: Sendable, Hashable {
    /// The code of the close frame.
    ///
    /// It is ``WebSocketCloseCode/noStatus`` if the frame had no code, and ``WebSocketCloseCode/abnormal`` if there was
    /// no close frame.
    public var code: WebSocketCloseCode
    /// The reason in the close frame.
    public var reason: String
    /// Whether both peers sent a close frame.
    public var isClean: Bool
    /// Whether the server closed first.
    public var isByServer: Bool

    /// Creates a closure record.
    public init(code: WebSocketCloseCode, reason: String = "", isClean: Bool, isByServer: Bool) {
        self.code = code
        self.reason = reason
        self.isClean = isClean
        self.isByServer = isByServer
    }
}

extension WebSocket {
    /// Sends a binary message.
    public func send(_ data: Data) async throws(SessionError) { try await send(Array(data)) }

    /// Sends the readable bytes of a buffer as a binary message.
    public func send(_ buffer: ByteBuffer) async throws(SessionError) {
        try await send(Array(buffer.readableBytesView))
    }
}
