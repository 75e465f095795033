import SuiteModel

/// The keys of an element of `websocket`, which are mutually exclusive.
enum WebSocketKey: String, CaseIterable, Sendable {
    case send, receive, silence, ping, wait, close

    static let schema = MapSchema<WebSocketKey>(
        "webSocketElement", title: "an element of websocket", "What is done next over a WebSocket: one of these keys.",
        rows: [
            .init(.send, .anyOf([.text, .map("webSocketSend")]), "Sends a message: text, or a map."),
            .init(
                .receive, .anyOf([.text, .list(.value), .map("webSocketReceive")]),
                "Waits for the next message and checks it: what it must be, or a map."),
            .init(.silence, .duration, "How long nothing may come from the server."),
            .init(
                .ping, .anyOf([.boolean, .duration]),
                "Sends a ping and waits for its pong: for 5s, or for the duration."),
            .init(.wait, .duration, "How long nothing is done."),
            .init(
                .close, .anyOf([.integer(1_000...4_999), .map("webSocketClose")]),
                "Closes the connection with a code, and waits for the server's close frame."),
        ],
        choice: .init(
            keys: Set(allCases), conflict: "an element of websocket does one thing", first: "the first is here",
            suggestion: "begin another with \"- KEY:\""),
        misplaced: [
            "expect": "write \"receive\"", "text": "it stands under \"send\" or \"receive\"",
            "json": "it stands under \"send\" or \"receive\"", "capture": "it stands under \"receive\"",
            "assert": "it stands under \"receive\"", "within": "it stands under \"receive\"",
            "skip": "it stands under \"receive\"", "delay": "write \"wait\"", "sleep": "write \"wait\"",
        ])
}

/// The keys of `send`. Exactly one of them is the content.
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
        choice: .init(
            keys: [.text, .json, .base64, .file], conflict: "a message has one content", first: "the first is here"),
        misplaced: ["body": "did you mean \"text\"?"])
}

/// The keys of `receive`.
enum WebSocketReceiveKey: String, CaseIterable, Sendable {
    case type, json, body, jsonSchema = "schema", size, sha256, base64, close, assert, capture, within, skip

    static let schema = MapSchema<WebSocketReceiveKey>(
        "webSocketReceive", title: "an expected message",
        "What the next message must be, as if it were the body of a response.",
        rows: [
            .init(.type, .choice(["text", "binary"]), "The kind of the message; without it, any."),
            .init(.json, .jsonPaths, "What JSONPaths select in the message, read as JSON."),
            .init(
                .body, .matcher(.value),
                "The whole message: the value of text that is a JSON object or array, otherwise the text."),
            .init(.jsonSchema, .schema, "The JSON Schema that the message must satisfy, or its path."),
            .init(.size, .matcher(.size), "The size of the message."),
            .init(.sha256, .matcher(.value), "The SHA-256 digest of the message, in hexadecimal digits."),
            .init(.base64, .matcher(.value), "The bytes of a binary message, in base64."),
            .init(
                .close, .anyOf([.boolean, .integer(1_000...4_999), .map("webSocketExpectedClose")]),
                "The server closes the connection, in place of a message: with any code, with this one, or as a map says."
            ),
            .init(
                .assert, .anyOf([.list(.template), .template]),
                "CEL expressions that must be true, without `${` and `}`; `body` and `text` are the message's."),
            .init(
                .capture, .members(.anyOf([.captureSource, .map("capture")])),
                "Values that are taken from the message, by name; what follows can use them."),
            .init(.within, .duration, "How long it may take until the message is there; without it, 5s."),
            .init(.skip, .boolean, "Whether messages that are not as expected are passed over until one is."),
        ],
        misplaced: [
            "text": "write \"body\"", "message": "write \"body\"", "status": "it stands under \"expect\" of the step",
            "headers": "it stands under \"expect\" of the step", "timeout": "write \"within\"",
            "contains": "write it under \"body\"", "matches": "write it under \"body\"",
            "startsWith": "write it under \"body\"", "endsWith": "write it under \"body\"",
            "like": "write it under \"body\"", "equals": "write it under \"body\"", "not": "write it under \"body\"",
            "oneOf": "write it under \"body\"", "none": "write \"silence\" in place of \"receive\"",
        ])
}

/// The keys of `close` in an element of `websocket`.
enum WebSocketCloseKey: String, CaseIterable, Sendable {
    case code, reason

    static let schema = MapSchema<WebSocketCloseKey>(
        "webSocketClose", title: "a close frame", "What the close frame says that is sent.",
        rows: [
            .init(.code, .integer(1_000...4_999), "The code; without it, 1000."),
            .init(.reason, .text, "The reason, of which 123 bytes are sent."),
        ])

    static let expected = MapSchema<WebSocketCloseKey>(
        "webSocketExpectedClose", title: "an expected close frame", "What the server's close frame must say.",
        rows: [
            .init(
                .code, .matcher(.value),
                "The code; 1005 stands for a frame without one, 1006 for an end without a frame."),
            .init(.reason, .matcher(.value), "The reason."),
        ])
}
