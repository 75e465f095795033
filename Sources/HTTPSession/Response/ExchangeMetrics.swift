/// The timing of an exchange, measured with a monotonic clock, and the number of bytes transferred.
///
/// The phases are those of the last attempt. `total` also includes earlier attempts and waiting, but not redirects.
public struct ExchangeMetrics: Sendable, Hashable {
    /// The time spent waiting for a free connection, if the number of connections per origin is limited.
    public var queued: Duration {
        get { .nanoseconds(queuedNanoseconds) }
        set { queuedNanoseconds = Self.nanoseconds(newValue) }
    }
    /// The duration of name resolution; nil on a reused connection, for an IP address and for `localhost`.
    public var dns: Duration? {
        get { dnsNanoseconds < 0 ? nil : .nanoseconds(dnsNanoseconds) }
        set { dnsNanoseconds = newValue.map(Self.nanoseconds) ?? -1 }
    }
    /// The time it took to establish the TCP connection; nil on a reused connection.
    public var connect: Duration? {
        get { connectNanoseconds < 0 ? nil : .nanoseconds(connectNanoseconds) }
        set { connectNanoseconds = newValue.map(Self.nanoseconds) ?? -1 }
    }
    /// The duration of the TLS handshake; nil without TLS or on a reused connection.
    public var tls: Duration? {
        get { tlsNanoseconds < 0 ? nil : .nanoseconds(tlsNanoseconds) }
        set { tlsNanoseconds = newValue.map(Self.nanoseconds) ?? -1 }
    }
    /// The time from a usable connection to the last byte of the request written to the network.
    public var send: Duration {
        get { .nanoseconds(sendNanoseconds) }
        set { sendNanoseconds = Self.nanoseconds(newValue) }
    }
    /// The time from then to the first byte of the response; zero if the response started earlier.
    public var firstByte: Duration {
        get { .nanoseconds(firstByteNanoseconds) }
        set { firstByteNanoseconds = Self.nanoseconds(newValue) }
    }
    /// The time from the first byte of the response to the last.
    public var receive: Duration {
        get { .nanoseconds(receiveNanoseconds) }
        set { receiveNanoseconds = Self.nanoseconds(newValue) }
    }
    /// The time from the start of the exchange to its end.
    public var total: Duration {
        get { .nanoseconds(totalNanoseconds) }
        set { totalNanoseconds = Self.nanoseconds(newValue) }
    }
    /// The number of bytes sent: request line, header and body, before TLS.
    public var bytesSent: Int = 0
    /// The number of bytes received: status line, header, body and framing, after TLS.
    public var bytesReceived: Int = 0
    /// The length of the body as transferred, before decompression.
    public var bodyBytesReceived: Int = 0
    /// The number of unsolicited bytes after the response, which caused the connection to be closed.
    public var bytesAfterResponse: Int = 0
    /// Whether the connection had already carried an earlier exchange.
    public var reusedConnection: Bool = false
    /// The number of times that the request was sent.
    public var attempts: Int = 1
    /// The number of attempts that failed because the server had closed the kept-alive connection.
    public var staleRetries: Int = 0

    // A `Duration` has 128 bits. Eight of them would double the size of the value that every exchange passes on.
    var queuedNanoseconds: Int64 = 0
    private var dnsNanoseconds: Int64 = -1
    private var connectNanoseconds: Int64 = -1
    private var tlsNanoseconds: Int64 = -1
    var sendNanoseconds: Int64 = 0
    var firstByteNanoseconds: Int64 = 0
    var receiveNanoseconds: Int64 = 0
    var totalNanoseconds: Int64 = 0

    /// Creates metrics with all durations and counts at zero.
    public init() {}

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        Int64(clamping: MonotonicClock.nanoseconds(duration))
    }
}
