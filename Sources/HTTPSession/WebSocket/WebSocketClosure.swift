/// How a WebSocket has ended (RFC 6455 section 7.1).
public struct WebSocketClosure: Sendable, Hashable {
    /// The code of the close frame; ``WebSocketCloseCode/noStatus`` if it had none, ``WebSocketCloseCode/abnormal`` if
    /// there was no such frame.
    public var code: WebSocketCloseCode
    /// The reason in the close frame.
    public var reason: String
    /// Whether both sides have sent a close frame.
    public var isClean: Bool
    /// Whether the server was the first to close.
    public var isByServer: Bool

    /// Creates a record of an end.
    public init(code: WebSocketCloseCode, reason: String = "", isClean: Bool, isByServer: Bool) {
        self.code = code
        self.reason = reason
        self.isClean = isClean
        self.isByServer = isByServer
    }
}
