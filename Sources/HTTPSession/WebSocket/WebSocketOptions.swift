/// Bounds and times of a WebSocket.
public struct WebSocketOptions: Sendable, Hashable {
    /// The largest message that is received, in bytes, fragments together; a larger one ends the connection with 1009.
    public var maximumMessageBytes: Int
    /// How long the server may take to answer a close frame, and to close the connection after it.
    public var closeTimeout: Duration
    /// The time after which a silent connection is pinged, and given up if it is silent for that long again; nil for never.
    public var pingInterval: Duration?

    /// Creates options; without arguments messages up to 16 MiB, 5 seconds to close, no pings.
    public init(
        maximumMessageBytes: Int = 16 << 20, closeTimeout: Duration = .seconds(5), pingInterval: Duration? = nil
    ) {
        self.maximumMessageBytes = maximumMessageBytes
        self.closeTimeout = closeTimeout
        self.pingInterval = pingInterval
    }
}
