public import Basics
public import Diagnostics

/// A sequence of messages to send over a WebSocket and messages to expect from the server (RFC 6455).
public struct WebSocketSpec: Sendable {
    /// The default time limit of a message or a pong, in nanoseconds.
    public static let standardTime: Templated<Int64> = 5_000_000_000

    /// The payload of a message to send.
    public enum Payload: Sendable {
        /// A text message.
        case text(Template)
        /// A text message with a JSON value.
        case json(ValueTemplate)
        /// A binary message whose bytes are written as base64.
        case base64(Template, range: SourceRange)
        /// A message with the contents of a file; the path resolves against the directory of the suite.
        case file(Template, isText: Bool, range: SourceRange)
    }

    /// The type of a message (RFC 6455, section 5.6).
    public enum Kind: String, Sendable, CaseIterable {
        case text, binary
    }

    /// A close frame to send.
    public struct Closing: Sendable {
        /// The status code.
        public var code: UInt16
        /// The reason.
        public var reason: Template?

        /// Creates a close frame.
        public init(code: UInt16 = 1_000, reason: Template? = nil) {
            self.code = code
            self.reason = reason
        }

        /// Returns an error message for a reason that does not fit into a close frame (RFC 6455, section 5.5),
        /// otherwise nil.
        public static func problem(ofReason reason: String) -> MessageText? {
            let size = reason.utf8.count
            guard size > 123 else { return nil }
            return "the reason of a close frame must be at most 123 bytes, got \(size)"
        }
    }

    /// The expectations of the server's close frame.
    public struct ExpectedClose: Sendable {
        /// The matcher for the status code.
        public var code: Matcher?
        /// The matcher for the reason.
        public var reason: Matcher?
        /// The source range of the value.
        public var range: SourceRange

        /// Creates expectations; without matchers, any close frame satisfies them.
        public init(code: Matcher? = nil, reason: Matcher? = nil, range: SourceRange) {
            self.code = code
            self.reason = reason
            self.range = range
        }
    }

    /// The expectations of the next message from the server.
    public struct Receiving: Sendable {
        /// The expectations of the message as if it were the body of a response, such as `json`, `body`, and `size`.
        public var expectations = ExpectationSet(isDefault: false)
        /// The required type of the message.
        public var kind: Kind?
        /// The matcher for the base64 encoding of a binary message.
        public var base64: Matcher?
        /// The expected close frame, if the server must close the connection instead of sending a message.
        public var close: ExpectedClose?
        /// The captures from the message, in order.
        public var captures: [Capture] = []
        /// The time limit, in nanoseconds.
        public var time = WebSocketSpec.standardTime
        /// Whether messages that do not meet the expectations are skipped.
        public var skips = false

        /// Creates expectations that any message satisfies.
        public init() {}
    }

    /// The action of an element.
    public enum Action: Sendable {
        /// Sends a message.
        case send(Payload)
        /// Waits for a message, or for the server's close frame, and checks it.
        indirect case receive(Receiving)
        /// Checks that no message arrives within a duration in nanoseconds.
        case silence(Templated<Int64>)
        /// Sends a ping and waits for the pong, with a time limit in nanoseconds.
        case ping(Templated<Int64>)
        /// Pauses for a duration in nanoseconds.
        case wait(Templated<Int64>)
        /// Closes the connection.
        case close(Closing)

        /// The time limit or the duration of the action, in nanoseconds; nil if it has none.
        public var time: Templated<Int64>? {
            switch self {
            case .send, .close: nil
            case .receive(let receiving): receiving.time
            case .silence(let time), .ping(let time), .wait(let time): time
            }
        }
    }

    /// An element of the exchange.
    public struct Element: Sendable {
        /// The action to perform.
        public var action: Action
        /// The source range of the action.
        public var range: SourceRange

        /// Creates an element.
        public init(_ action: Action, range: SourceRange) {
            self.action = action
            self.range = range
        }
    }

    /// The elements, in order.
    public var elements: [Element]
    /// The source range of the key.
    public var range: SourceRange

    /// Creates an exchange.
    public init(_ elements: [Element], range: SourceRange) {
        self.elements = elements
        self.range = range
    }

    /// Returns the exchange with the captures marked secret whose names satisfy a predicate.
    public func markingSecret(_ isSecret: (String) -> Bool) -> WebSocketSpec {
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

    /// The captures of all elements, in order.
    public var captures: [Capture] {
        elements.flatMap { element -> [Capture] in
            guard case .receive(let receiving) = element.action else { return [] }
            return receiving.captures
        }
    }
}
