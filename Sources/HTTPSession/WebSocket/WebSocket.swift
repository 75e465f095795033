public import FoundationEssentials
public import NIOCore
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

/// A message of a WebSocket (RFC 6455 section 5.6).
public enum WebSocketMessage: Sendable, Hashable {
    /// Text.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// The length in bytes.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}

/// Bounds and times of a WebSocket.
public struct WebSocketOptions: Sendable, Hashable {
    /// The largest message that is received, in bytes, fragments together; a larger one ends the connection with 1009.
    public var maximumMessageBytes: Int
    /// How long the server may take to answer a close frame, and to close the connection after it.
    public var closeTimeout: Duration
    /// The time after which a silent connection is pinged, and given up if it is silent for that long again; nil for never.
    public var pingInterval: Duration?

    /// Creates options; without arguments messages up to 16 MiB, 5 seconds to close, no pings.
    public init(
        maximumMessageBytes: Int = 16 << 20, closeTimeout: Duration = .seconds(5), pingInterval: Duration? = nil
    ) {
        self.maximumMessageBytes = maximumMessageBytes
        self.closeTimeout = closeTimeout
        self.pingInterval = pingInterval
    }
}

/// Why a WebSocket is closed, as a number (RFC 6455 section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number.
    public var rawValue: UInt16

    /// Creates a code of a number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The purpose of the connection is fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// A server goes down, or a client has moved on.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// The other side has broken the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A message was of a type that is not accepted.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// The close frame had no code; never sent.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// There was no close frame; never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// A text was not valid UTF-8.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// A message was against the rules of this side.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message was too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// The server lacks an extension that the client needs.
    public static let mandatoryExtension = WebSocketCloseCode(rawValue: 1010)
    /// The server has met an error of its own.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)

    /// Whether the code may stand in a close frame.
    var isValidOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { String(rawValue) }
}

/// How a WebSocket has ended (RFC 6455 section 7.1).
public struct WebSocketClosure: Sendable, Hashable {
    /// The code of the close frame; ``WebSocketCloseCode/noStatus`` if it had none, ``WebSocketCloseCode/abnormal`` if
    /// there was no such frame.
    public var code: WebSocketCloseCode
    /// The reason in the close frame.
    public var reason: String
    /// Whether both sides have sent a close frame.
    public var isClean: Bool
    /// Whether the server was the first to close.
    public var isByServer: Bool

    /// Creates a record of an end.
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
