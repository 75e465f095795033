/// Where the time of one exchange went, by a monotonic clock, and what it moved.
///
/// The phases are of the last attempt on the wire; `total` also has earlier attempts and waiting, but not redirects.
public struct ExchangeMetrics: Sendable, Hashable {
    /// Waiting for a free connection, where the number of connections per origin is bounded.
    public var queued: Duration {
        get { .nanoseconds(queuedNanoseconds) }
        set { queuedNanoseconds = Self.nanoseconds(newValue) }
    }
    /// Name resolution; nil on a reused connection, for an IP literal and for `localhost`.
    public var dns: Duration? {
        get { dnsNanoseconds < 0 ? nil : .nanoseconds(dnsNanoseconds) }
        set { dnsNanoseconds = newValue.map(Self.nanoseconds) ?? -1 }
    }
    /// The TCP connection; nil on a reused connection.
    public var connect: Duration? {
        get { connectNanoseconds < 0 ? nil : .nanoseconds(connectNanoseconds) }
        set { connectNanoseconds = newValue.map(Self.nanoseconds) ?? -1 }
    }
    /// The TLS handshake; nil without TLS or on a reused connection.
    public var tls: Duration? {
        get { tlsNanoseconds < 0 ? nil : .nanoseconds(tlsNanoseconds) }
        set { tlsNanoseconds = newValue.map(Self.nanoseconds) ?? -1 }
    }
    /// From a usable connection to the last byte handed to the network.
    public var send: Duration {
        get { .nanoseconds(sendNanoseconds) }
        set { sendNanoseconds = Self.nanoseconds(newValue) }
    }
    /// From then to the response's first byte; zero where the response came first.
    public var firstByte: Duration {
        get { .nanoseconds(firstByteNanoseconds) }
        set { firstByteNanoseconds = Self.nanoseconds(newValue) }
    }
    /// From the response's first byte to its last.
    public var receive: Duration {
        get { .nanoseconds(receiveNanoseconds) }
        set { receiveNanoseconds = Self.nanoseconds(newValue) }
    }
    /// From start to end.
    public var total: Duration {
        get { .nanoseconds(totalNanoseconds) }
        set { totalNanoseconds = Self.nanoseconds(newValue) }
    }
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

    // A `Duration` has 128 bits: eight of them would double the size of what every exchange passes on.
    var queuedNanoseconds: Int64 = 0
    private var dnsNanoseconds: Int64 = -1
    private var connectNanoseconds: Int64 = -1
    private var tlsNanoseconds: Int64 = -1
    var sendNanoseconds: Int64 = 0
    var firstByteNanoseconds: Int64 = 0
    var receiveNanoseconds: Int64 = 0
    var totalNanoseconds: Int64 = 0

    /// Creates metrics in which nothing has happened.
    public init() {}

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        Int64(clamping: MonotonicClock.nanoseconds(duration))
    }
}
