/// What went over a WebSocket, in order.
public struct WebSocketTranscript: Sendable {
    /// Which side a message or frame comes from.
    public enum Side: Sendable, Hashable {
        case client, server
    }

    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// A text message.
        case text
        /// A binary message.
        case binary
        /// A ping of the client's.
        case ping
        /// The pong to such a ping.
        case pong
        /// A close frame; the bytes are its reason.
        case close(code: UInt16)
    }

    /// A message, or a frame that is none.
    public struct Message: Sendable, Hashable {
        /// Where it comes from.
        public var side: Side
        /// What it is.
        public var kind: Kind
        /// The bytes, or the first of them.
        public var bytes: [UInt8]
        /// How many bytes it has.
        public var size: Int
        /// True when ``bytes`` are only the first of them.
        public let isCut: Bool

        /// Creates a message.
        public init(_ side: Side, _ kind: Kind, _ bytes: [UInt8] = []) {
            self.side = side
            self.kind = kind
            size = bytes.count
            isCut = bytes.count > WebSocketTranscript.longest
            self.bytes = isCut ? Array(bytes.prefix(WebSocketTranscript.longest)) : bytes
        }

        /// Creates a message of which only the first bytes are known.
        ///
        /// - Parameter size: How many bytes the message has.
        package init(_ side: Side, _ kind: Kind, firstBytes: [UInt8], size: Int, isCut: Bool) {
            self.side = side
            self.kind = kind
            bytes = firstBytes
            self.size = size
            self.isCut = isCut
        }
    }

    /// The most bytes of a message that are kept; reports show less.
    static let longest = 65_536
    /// The most messages that are kept.
    static let most = 100

    /// The messages; when there were many, the last of them.
    public private(set) var messages: [Message] = []
    /// How many messages came before ``messages``.
    public private(set) var omitted = 0

    /// Creates a transcript without messages.
    public init() {}

    /// Creates a transcript of the last messages.
    ///
    /// - Parameter omitted: How many messages came before them.
    package init(messages: [Message], omitted: Int) {
        self.messages = messages
        self.omitted = omitted
    }

    /// Adds a message.
    public mutating func append(_ message: Message) {
        // Twice as many are let grow before the first half goes, so that each is moved once.
        if messages.count >= 2 * Self.most {
            omitted += messages.count - Self.most
            messages.removeFirst(messages.count - Self.most)
        }
        messages.append(message)
    }

    /// Replaces the bytes of each message for which something else is given.
    public mutating func replaceBytes(_ replacement: (Message) -> [UInt8]?) {
        for index in messages.indices {
            if let bytes = replacement(messages[index]) { messages[index].bytes = bytes }
        }
    }
}
