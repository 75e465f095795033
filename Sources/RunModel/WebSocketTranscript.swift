/// The messages and frames that were exchanged over a WebSocket, in order.
public struct WebSocketTranscript: Sendable {
    /// The sender of a message or frame: this client or the server.
    public enum Side: Sendable, Hashable {
        case client, server
    }

    /// The kind of a message or frame.
    public enum Kind: Sendable, Hashable {
        /// A text message.
        case text
        /// A binary message.
        case binary
        /// A ping from the client.
        case ping
        /// The pong that responds to a ping from the client.
        case pong
        /// A close frame; its bytes are the reason.
        case close(code: UInt16)
    }

    /// A message or a control frame.
    public struct Message: Sendable, Hashable {
        /// The sender.
        public var side: Side
        /// The kind.
        public var kind: Kind
        /// The bytes of the message, possibly truncated.
        public var bytes: [UInt8]
        /// The size of the whole message in bytes.
        public var size: Int
        /// Whether ``bytes`` is truncated.
        public let isCut: Bool

        /// Creates a message.
        public init(_ side: Side, _ kind: Kind, _ bytes: [UInt8] = []) {
            self.side = side
            self.kind = kind
            size = bytes.count
            isCut = bytes.count > WebSocketTranscript.maximumLength
            self.bytes = isCut ? Array(bytes.prefix(WebSocketTranscript.maximumLength)) : bytes
        }

        /// Creates a message whose bytes are known only in part.
        ///
        /// - Parameters:
        ///   - side: The sender.
        ///   - kind: The kind of the message.
        ///   - firstBytes: The known bytes from the start of the message.
        ///   - size: The size of the whole message in bytes.
        ///   - isCut: Whether bytes are missing.
        package init(_ side: Side, _ kind: Kind, firstBytes: [UInt8], size: Int, isCut: Bool) {
            self.side = side
            self.kind = kind
            bytes = firstBytes
            self.size = size
            self.isCut = isCut
        }
    }

    /// The maximum number of bytes to keep of a message; reports show fewer.
    static let maximumLength = 65_536
    /// The maximum number of messages to keep.
    static let maximum = 100

    /// The messages; if there were too many, only the last ones.
    public private(set) var messages: [Message] = []
    /// The number of messages before ``messages``.
    public private(set) var omitted = 0

    /// Creates an empty transcript.
    public init() {}

    /// Creates a transcript of the last messages.
    ///
    /// - Parameters:
    ///   - messages: The messages to keep.
    ///   - omitted: The number of messages before them.
    package init(messages: [Message], omitted: Int) {
        self.messages = messages
        self.omitted = omitted
    }

    /// Appends a message.
    public mutating func append(_ message: Message) {
        // The array grows to twice the maximum before its first half is removed, so that each message moves only once.
        if messages.count >= 2 * Self.maximum {
            omitted += messages.count - Self.maximum
            messages.removeFirst(messages.count - Self.maximum)
        }
        messages.append(message)
    }

    /// Replaces the bytes of each message for which a closure returns replacement bytes.
    public mutating func replaceBytes(_ replacement: (Message) -> [UInt8]?) {
        for index in messages.indices {
            if let bytes = replacement(messages[index]) { messages[index].bytes = bytes }
        }
    }
}
