/// An element of the conversation over the WebSocket that an imported request opens.
package enum ImportedMessage: Sendable, Hashable {
    /// A message or a close frame of the server.
    package struct Received: Sendable, Hashable {
        /// The expectations on the message.
        package var checks: [ImportedCheck] = []
        /// The captures from the message.
        package var captures: [ImportedCapture] = []
        /// Whether the message is binary.
        package var isBinary = false
        /// The content of a binary message in base64; nil if it is not checked.
        package var base64: String?
        /// The code of a close frame; nil for a message.
        package var closeCode: Int?
        /// The maximum wait, such as `10s`; nil for the default.
        package var within: String?

        /// Creates a message without expectations.
        package init() {}
    }

    /// Sends a message: text, JSON as text, or bytes in base64.
    case send(ImportedBody)
    /// Waits for a message.
    case receive(Received)
    /// Closes the connection with a code.
    case close(Int)

    /// The captures from the message.
    var captures: [ImportedCapture] {
        if case .receive(let received) = self { received.captures } else { [] }
    }
}
