/// Where the time of one exchange went, by a monotonic clock, and what it moved.
///
/// The phases are of the last attempt on the wire; `total` also has earlier attempts and waiting, but not redirects.
public struct ExchangeMetrics: Sendable, Hashable {
    /// Waiting for a free connection, where the number of connections per origin is bounded.
    public var queued: Duration = .zero
    /// Name resolution; nil on a reused connection, for an IP literal and for `localhost`.
    public var dns: Duration?
    /// The TCP connection; nil on a reused connection.
    public var connect: Duration?
    /// The TLS handshake; nil without TLS or on a reused connection.
    public var tls: Duration?
    /// From a usable connection to the last byte handed to the network.
    public var send: Duration = .zero
    /// From then to the response's first byte; zero where the response came first.
    public var firstByte: Duration = .zero
    /// From the response's first byte to its last.
    public var receive: Duration = .zero
    /// From start to end.
    public var total: Duration = .zero
    /// Bytes sent: request line, header and body, before TLS.
    public var bytesSent: Int = 0
    /// Bytes received: status line, header, body and framing, after TLS.
    public var bytesReceived: Int = 0
    /// Length of the body as it was transferred, before decompression.
    public var bodyBytesReceived: Int = 0
    /// Bytes that followed the response without being asked for; the connection was closed because of them.
    public var bytesAfterResponse: Int = 0
    /// Whether the connection had carried an exchange before.
    public var reusedConnection: Bool = false
    /// How many times the request was put on the wire.
    public var attempts: Int = 1
    /// How many of the attempts met a kept-alive connection that the server had closed.
    public var staleRetries: Int = 0

    /// Creates metrics in which nothing has happened.
    public init() {}
}
