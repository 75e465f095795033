/// Keys of `send`, of which one says what is sent.
enum WebSocketSendKey: String, CaseIterable, Sendable {
    case text, json, base64, file, type

    static let schema = MapSchema<WebSocketSendKey>(
        "webSocketSend", title: "a message to send", "A message that is sent, with one content.",
        rows: [
            .init(.text, .text, "Text."),
            .init(.json, .value, "A JSON value, sent as text."),
            .init(.base64, .template, "Bytes, written in base64, sent as a binary message."),
            .init(.file, .template, "A file's bytes; the path resolves against the suite's folder."),
            .init(.type, .choice(["text", "binary"]), "How a file is sent; without it, as a binary message."),
        ],
        misplaced: ["body": "did you mean \"text\"?"])
}
