import SuiteModel

/// Keys of `receive`.
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
