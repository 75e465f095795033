import Basics
import JSON

/// A message or a close frame that passed through a recorded WebSocket.
package struct RecordedMessage: Sendable, Hashable {
    /// The content of a message.
    package enum Content: Sendable, Hashable {
        case text(String)
        case binary([UInt8])
        /// A message whose content was not recorded.
        case omitted(isBinary: Bool)
        /// A close frame with its code (RFC 6455, section 7.4); 1005 without one.
        case close(Int)
    }

    /// Whether the client sent it.
    package var isSent: Bool
    /// The content.
    package var content: Content
    /// The time since the previous message of either side, in nanoseconds.
    package var delay: Int64

    /// Creates a message.
    package init(isSent: Bool, content: Content, delay: Int64 = 0) {
        self.isSent = isSent
        self.content = content
        self.delay = delay
    }

    /// The object or array that a text message contains as JSON; nil if there is none.
    var json: JSONValue? {
        guard case .text(let text) = content, let first = text.utf8.first(where: { !ASCII.isWhitespace($0) }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
        var parser = JSONParser()
        parser.limits.maximumDepth = ImportLimits.bodyDepth
        return try? parser.parse(Array(text.utf8))
    }
}

/// Turns the messages of a recorded WebSocket into what a suite sends and expects.
struct ConversationTranslator {
    /// The delay from which a suite waits longer than by default, in nanoseconds.
    private static let longDelay: Int64 = 2_500_000_000
    /// The maximum size of bytes that a suite sends or compares.
    private static let maximumSize = 16 << 10

    /// The messages to send, with variables in place of known values; nil for any other message.
    private let sent: [ImportedBody?]
    private let messages: [RecordedMessage]
    private let exchange: Int

    /// Reads messages in order: values that the server sent become captures if later messages or requests contain them.
    ///
    /// - Parameters:
    ///   - url: The URL of the WebSocket.
    ///   - exchange: The index of the exchange that opened it.
    init(_ messages: [RecordedMessage], of url: String, exchange: Int, _ inference: inout CaptureInference) {
        var sent: [ImportedBody?] = []
        for (index, message) in messages.enumerated() {
            if message.isSent {
                sent.append(Self.body(of: message).map { inference.apply(to: $0) })
            } else {
                sent.append(nil)
                guard let json = message.json else { continue }
                inference.add(json, from: url, at: CaptureInference.Place(exchange: exchange, message: index))
            }
        }
        self.sent = sent
        self.messages = messages
        self.exchange = exchange
    }

    private static func body(of message: RecordedMessage) -> ImportedBody? {
        switch message.content {
        case .text(let text): ImportedBody(text: ImportedText(text), contentType: nil)
        case .binary(let bytes) where bytes.count <= maximumSize: .base64(Base64.encode(bytes))
        case .binary, .omitted, .close: nil
        }
    }

    /// Returns the elements of the suite.
    ///
    /// - Parameter omitted: Called for each message that was sent and is not repeated.
    func elements(_ inference: CaptureInference, omitted: () -> Void) -> [ImportedMessage] {
        var elements: [ImportedMessage] = []
        for (index, message) in messages.enumerated() {
            if case .close(let code) = message.content {
                if !message.isSent {
                    var closed = received(message)
                    closed.closeCode = code
                    elements.append(.receive(closed))
                } else if code >= 3_000 {
                    elements.append(.close(code))
                }
                break
            }
            if message.isSent {
                if let body = sent[index] { elements.append(.send(body)) } else { omitted() }
                continue
            }
            var received = received(message)
            let place = CaptureInference.Place(exchange: exchange, message: index)
            received.captures = inference.captures[place] ?? []
            switch message.content {
            case .text(let text):
                received.checks = ExpectationInference.checks(forMessage: text, json: message.json) { value in
                    inference.variable(of: value, before: place)
                }
            case .binary(let bytes):
                received.isBinary = true
                if bytes.count <= Self.maximumSize { received.base64 = Base64.encode(bytes) }
            case .omitted(let isBinary): received.isBinary = isBinary
            case .close: break
            }
            elements.append(.receive(received))
        }
        return elements
    }

    private func received(_ message: RecordedMessage) -> ImportedMessage.Received {
        var received = ImportedMessage.Received()
        if message.delay > Self.longDelay { received.within = "\(message.delay / 500_000_000 + 1)s" }
        return received
    }
}
