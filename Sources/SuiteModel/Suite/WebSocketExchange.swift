public import Diagnostics

/// What is sent over a WebSocket and what is expected of its server, in order (RFC 6455).
public struct WebSocketExchange: Sendable {
    /// How long a message or a pong may take where the suite does not say, in nanoseconds.
    public static let standardTime: Int64 = 5_000_000_000

    /// What a message that is sent holds.
    public enum Payload: Sendable {
        /// A text message.
        case text(Template)
        /// A text message with a JSON value.
        case json(ValueTemplate)
        /// A binary message whose bytes are written in base64.
        case base64(Template, range: SourceRange)
        /// A message with a file's bytes; the path resolves against the suite's folder.
        case file(Template, isText: Bool, range: SourceRange)
    }

    /// The two kinds of messages (RFC 6455, section 5.6).
    public enum Kind: String, Sendable, CaseIterable {
        case text, binary
    }

    /// A close frame that is sent.
    public struct Closing: Sendable {
        /// The code.
        public var code: UInt16
        /// The reason.
        public var reason: Template?

        /// Creates what a close frame says.
        public init(code: UInt16 = 1_000, reason: Template? = nil) {
            self.code = code
            self.reason = reason
        }

        /// What is wrong with a reason that a close frame has no room for, in words (RFC 6455, section 5.5).
        public static func problem(ofReason reason: String) -> String? {
            let size = reason.utf8.count
            guard size > 123 else { return nil }
            return "the reason of a close frame has at most 123 bytes, not \(size)"
        }
    }

    /// What is expected of the server's close frame.
    public struct ExpectedClose: Sendable {
        /// What its code must be.
        public var code: Matcher?
        /// What its reason must be.
        public var reason: Matcher?
        /// The place of the whole.
        public var range: SourceRange

        /// Creates what is expected of a close frame: nothing but that it comes.
        public init(code: Matcher? = nil, reason: Matcher? = nil, range: SourceRange) {
            self.code = code
            self.reason = reason
            self.range = range
        }
    }

    /// What is expected next from the server.
    public struct Receiving: Sendable {
        /// What is expected of the message as if it were the body of a response: `json`, `body`, `size` and the like.
        public var expectations = ExpectationSet(isDefault: false)
        /// The kind that the message must be of.
        public var kind: Kind?
        /// What the bytes of a binary message must be, in base64.
        public var base64: Matcher?
        /// That the server closes the connection, in place of a message.
        public var close: ExpectedClose?
        /// What is captured from the message, in order.
        public var captures: [Capture] = []
        /// How long it may take, in nanoseconds.
        public var time = WebSocketExchange.standardTime
        /// True when messages that are not as expected are passed over.
        public var skips = false

        /// Creates what is expected: any message.
        public init() {}
    }

    /// What an element of the list does.
    public enum Action: Sendable {
        /// Sends a message.
        case send(Payload)
        /// Waits for a message, or for the server's close frame, and checks it.
        indirect case receive(Receiving)
        /// Checks that nothing comes for so many nanoseconds.
        case silence(Int64)
        /// Sends a ping, and waits for its pong for so many nanoseconds.
        case ping(Int64)
        /// Does nothing for so many nanoseconds.
        case wait(Int64)
        /// Closes the connection.
        case close(Closing)
    }

    /// An element of the list.
    public struct Element: Sendable {
        /// What is done.
        public var action: Action
        /// The place of the value that says so.
        public var range: SourceRange

        /// Creates an element.
        public init(_ action: Action, range: SourceRange) {
            self.action = action
            self.range = range
        }
    }

    /// The elements, in order.
    public var elements: [Element]
    /// The place of the key.
    public var range: SourceRange

    /// Creates an exchange.
    public init(_ elements: [Element], range: SourceRange) {
        self.elements = elements
        self.range = range
    }

    /// The exchange with the captures secret whose names satisfy a condition.
    public func markingSecret(_ isSecret: (String) -> Bool) -> WebSocketExchange {
        var exchange = self
        for (index, element) in elements.enumerated() {
            guard case .receive(var receiving) = element.action else { continue }
            for capture in receiving.captures.indices where isSecret(receiving.captures[capture].name) {
                receiving.captures[capture].isSecret = true
            }
            exchange.elements[index].action = .receive(receiving)
        }
        return exchange
    }

    /// What all elements capture, in order.
    public var captures: [Capture] {
        elements.flatMap { element -> [Capture] in
            guard case .receive(let receiving) = element.action else { return [] }
            return receiving.captures
        }
    }
}
