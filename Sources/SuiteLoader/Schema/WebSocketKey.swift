/// Keys of an element of `websocket`, of which each has one.
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
        misplaced: [
            "expect": "write \"receive\"", "text": "it stands under \"send\" or \"receive\"",
            "json": "it stands under \"send\" or \"receive\"", "capture": "it stands under \"receive\"",
            "assert": "it stands under \"receive\"", "within": "it stands under \"receive\"",
            "skip": "it stands under \"receive\"", "delay": "write \"wait\"", "sleep": "write \"wait\"",
        ])
}
