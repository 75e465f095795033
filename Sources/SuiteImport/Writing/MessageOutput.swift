import YAML

/// Writes the messages of a WebSocket as they stand in a suite.
enum MessageOutput {
    /// Returns the value of `websocket`.
    static func output(of messages: [ImportedMessage]) -> YAMLOutput {
        .lines(messages.map { .mapping([output(of: $0)]) })
    }

    private static func output(of message: ImportedMessage) -> (key: YAMLOutput, value: YAMLOutput) {
        switch message {
        case .send(let body): (.text("send"), content(of: body))
        case .receive(let received): (.text("receive"), output(of: received))
        case .close(let code): (.text("close"), .plain(String(code)))
        }
    }

    private static func content(of body: ImportedBody) -> YAMLOutput {
        switch body {
        case .json(let value): .mapping([(.text("json"), YAMLOutput(value))])
        case .text(let text), .xml(let text): .text(text.template)
        case .base64(let text): .mapping([(.text("base64"), .text(text))])
        case .form, .multipart, .graphQL, .file: .text("")
        }
    }

    private static func output(of received: ImportedMessage.Received) -> YAMLOutput {
        var entries = ResponseOutput.entries(of: received.checks)
        if let code = received.closeCode { entries.add("close", .plain(String(code))) }
        if received.isBinary { entries.add("type", literal: "binary") }
        entries.add("base64", literal: received.base64)
        entries.add("within", literal: received.within)
        entries.add("capture", nonempty: ResponseOutput.captures(received.captures))
        return entries.output
    }
}
