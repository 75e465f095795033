import Basics
import SuiteModel

/// The keys of an element of `websocket`, which are mutually exclusive.
enum WebSocketKey: String, CaseIterable, Sendable {
    case send, receive, silence, ping, wait, close

    static let schema = MapSchema<WebSocketKey>(
        "webSocketElement", title: "a \"websocket\" element", "The next action on a WebSocket: one of these keys.",
        rows: [
            .init(.send, .anyOf([.text, .map("webSocketSend")]), "Sends a message: a string, or a mapping."),
            .init(
                .receive, .anyOf([.text, .list(.value), .map("webSocketReceive")]),
                "Waits for the next message and checks it: the expected value, or a mapping."),
            .init(.silence, .duration, "The duration for which the server must not send anything."),
            .init(
                .ping, .anyOf([.boolean, .duration]),
                "Sends a ping and waits for its pong, for 5s or for the given duration."),
            .init(.wait, .duration, "The duration to wait."),
            .init(
                .close, .anyOf([.integer(1_000...4_999), .map("webSocketClose")]),
                "Closes the connection with a code, and waits for the server's close frame."),
        ],
        choice: .init(
            keys: Set(allCases), conflict: "a \"websocket\" element has only one action",
            first: "the first one is here",
            suggestion: "start another element with \"- KEY:\""),
        misplaced: [
            "expect": "write \"receive\"", "text": .under("send", "receive"),
            "json": .under("send", "receive"), "capture": .under("receive"),
            "assert": .under("receive"), "within": .under("receive"),
            "skip": .under("receive"), "delay": "write \"wait\"", "sleep": "write \"wait\"",
        ])
}

/// The keys of `send`. Exactly one of them is the content.
enum WebSocketSendKey: String, CaseIterable, Sendable {
    case text, json, base64, file, type

    static let schema = MapSchema<WebSocketSendKey>(
        "webSocketSend", title: "a message to send", "A message to send, with one content.",
        rows: [
            .init(.text, .text, "Text."),
            .init(.json, .value, "A JSON value, sent as text."),
            .init(.base64, .template, "Base64-encoded bytes, sent as a binary message."),
            .init(.file, .template, "The bytes of a file; the path is relative to the directory of the suite."),
            .init(.type, .choice(["text", "binary"]), "The kind of message for a file (default: binary)."),
        ],
        choice: .init(
            keys: [.text, .json, .base64, .file], conflict: "a message has only one content",
            first: "the first one is here"),
        misplaced: ["body": .key("text")])
}

/// The keys of `receive`.
enum WebSocketReceiveKey: String, CaseIterable, Sendable {
    case type, json, body, jsonSchema = "schema", size, sha256, base64, close, assert, capture, within, skip

    static let schema = MapSchema<WebSocketReceiveKey>(
        "webSocketReceive", title: "an expected message",
        "The expectations of the next message, as for the body of a response.",
        rows: [
            .init(.type, .choice(["text", "binary"]), "The kind of the message (default: any)."),
            .init(.json, .jsonPaths, "JSONPaths to expected values in a JSON message."),
            .init(
                .body, .matcher(.value),
                "The whole message: the value if it is a JSON object or array, otherwise the text."),
            .init(.jsonSchema, .schema, "The JSON Schema that the message must satisfy, or its path."),
            .init(.size, .matcher(.size), "The size of the message."),
            .init(.sha256, .matcher(.value), "The SHA-256 digest of the message, in hexadecimal."),
            .init(.base64, .matcher(.value), "The bytes of a binary message, in base64."),
            .init(
                .close, .anyOf([.boolean, .integer(1_000...4_999), .map("webSocketExpectedClose")]),
                "The server closes the connection instead of sending a message: with any code, with this code, or as in a mapping."
            ),
            .init(
                .assert, .anyOf([.list(.template), .template]),
                "CEL expressions that must be true, without `${` and `}`; `body` and `text` refer to the message."),
            .init(
                .capture, .members(.anyOf([.captureSource, .map("capture")])),
                "Values to capture from the message, by name, for the elements that follow."),
            .init(.within, .duration, "The maximum time until the message arrives (default: 5s)."),
            .init(.skip, .boolean, "Whether to ignore messages until one matches."),
        ],
        misplaced: [
            "text": "write \"body\"", "message": "write \"body\"", "status": "it belongs under \"expect\" of the step",
            "headers": "it belongs under \"expect\" of the step", "timeout": "write \"within\"",
            "contains": "write it under \"body\"", "matches": "write it under \"body\"",
            "startsWith": "write it under \"body\"", "endsWith": "write it under \"body\"",
            "like": "write it under \"body\"", "equals": "write it under \"body\"", "not": "write it under \"body\"",
            "oneOf": "write it under \"body\"", "none": "write \"silence\" instead of \"receive\"",
        ])
}

/// The keys of `close` in an element of `websocket`.
enum WebSocketCloseKey: String, CaseIterable, Sendable {
    case code, reason

    static let schema = MapSchema<WebSocketCloseKey>(
        "webSocketClose", title: "a close frame", "The contents of the close frame to send.",
        rows: [
            .init(.code, .integer(1_000...4_999), "The code (default: 1000)."),
            .init(.reason, .text, "The reason; at most 123 bytes are sent."),
        ])

    static let expected = MapSchema<WebSocketCloseKey>(
        "webSocketExpectedClose", title: "an expected close frame", "The expected close frame of the server.",
        rows: [
            .init(
                .code, .matcher(.value),
                "The code; 1005 means a frame without a code, 1006 a connection that ended without a close frame."),
            .init(.reason, .matcher(.value), "The reason."),
        ])
}
