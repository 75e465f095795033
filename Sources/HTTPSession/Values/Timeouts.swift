/// How long each part of an exchange may take; nil means without limit.
///
/// A body that is streamed is read as fast as its reader wants: a session's ``total`` does not apply to it, a request's
/// own does.
public struct Timeouts: Sendable, Hashable {
    /// Name resolution, TCP connection and TLS handshake together.
    public var connect: Duration?
    /// From the request's last byte to the response's first.
    public var firstByte: Duration?
    /// Between two arrivals of bytes while a body is sent or a response is received.
    ///
    /// It does not run while the reader of a streamed response has enough, or while the source of a streamed body, a limit
    /// of the speed or an awaited consent keeps the request back.
    public var idle: Duration?
    /// An attempt as a whole, with waiting for a connection and redirects; each retry begins anew.
    ///
    /// For a streamed response that is until its body ends; nil is for streams without end.
    public var total: Duration?

    /// Creates timeouts; without arguments 10 seconds to connect, 30 each for first byte and idle, 60 in total.
    public init(
        connect: Duration? = .seconds(10), firstByte: Duration? = .seconds(30), idle: Duration? = .seconds(30),
        total: Duration? = .seconds(60)
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
    }

    /// No limits at all.
    public static let unlimited = Timeouts(connect: nil, firstByte: nil, idle: nil, total: nil)

    /// The given time in total, and no part longer than it.
    public static func total(_ duration: Duration) -> Timeouts {
        Timeouts(connect: duration, firstByte: duration, idle: duration, total: duration)
    }
}
