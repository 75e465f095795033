import SuiteModel

/// Keys of `close` among the elements of `websocket`.
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
