/// The time limits of an exchange; nil is no limit.
///
/// A request has the limits that it sets, and the session's for all others:
///
/// ```swift
/// var request = Request(.get, url: "report")
/// request.timeouts.firstByte = .seconds(90)
/// ```
///
/// A body that is streamed is read as fast as its reader wants: a session's ``total`` does not apply to it, a request's
/// own does.
public struct Timeouts: Sendable {
    /// The limits that were set.
    struct Fields: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let connect = Fields(rawValue: 1)
        static let firstByte = Fields(rawValue: 2)
        static let idle = Fields(rawValue: 4)
        static let total = Fields(rawValue: 8)
    }

    /// Name resolution, TCP connection and TLS handshake together.
    public var connect: Duration? { didSet { fields.insert(.connect) } }
    /// From the request's last byte to the response's first.
    public var firstByte: Duration? { didSet { fields.insert(.firstByte) } }
    /// Between two arrivals of bytes while a body is sent or a response is received.
    ///
    /// It does not run while the reader of a streamed response has enough, or while the source of a streamed body, a limit
    /// of the speed or an awaited consent keeps the request back.
    public var idle: Duration? { didSet { fields.insert(.idle) } }
    /// An attempt as a whole, with waiting for a connection and redirects; each retry begins anew.
    ///
    /// For a streamed response that is until its body ends; nil is for streams without end.
    public var total: Duration? { didSet { fields.insert(.total) } }
    private(set) var fields: Fields

    /// A value of the initializer's arguments for a limit that is not set.
    ///
    /// A request takes the session's limit then, and a session the library's.
    public static let inherited = Duration.nanoseconds(Int64.min)

    /// Creates timeouts; those not set are the session's, or else 10 seconds to connect, 30 for first byte and idle, 60 in
    /// total.
    public init(
        connect: Duration? = Timeouts.inherited, firstByte: Duration? = Timeouts.inherited,
        idle: Duration? = Timeouts.inherited, total: Duration? = Timeouts.inherited
    ) {
        fields = []
        self.connect = connect == Self.inherited ? .seconds(10) : connect
        self.firstByte = firstByte == Self.inherited ? .seconds(30) : firstByte
        self.idle = idle == Self.inherited ? .seconds(30) : idle
        self.total = total == Self.inherited ? .seconds(60) : total
        if connect != Self.inherited { fields.insert(.connect) }
        if firstByte != Self.inherited { fields.insert(.firstByte) }
        if idle != Self.inherited { fields.insert(.idle) }
        if total != Self.inherited { fields.insert(.total) }
    }

    /// No limits at all.
    public static let unlimited = Timeouts(connect: nil, firstByte: nil, idle: nil, total: nil)

    /// Returns timeouts with the given time in total, and no part longer than it.
    public static func total(_ duration: Duration) -> Timeouts {
        Timeouts(connect: duration, firstByte: duration, idle: duration, total: duration)
    }

    /// Returns these timeouts with those of `base` in place of the ones that are not set.
    public func inheriting(from base: Timeouts) -> Timeouts {
        var merged = base
        if fields.contains(.connect) { merged.connect = connect }
        if fields.contains(.firstByte) { merged.firstByte = firstByte }
        if fields.contains(.idle) { merged.idle = idle }
        if fields.contains(.total) { merged.total = total }
        return merged
    }
}

extension Timeouts: Hashable {
    /// Whether the limits are equal, wherever they come from.
    public static func == (first: Timeouts, second: Timeouts) -> Bool {
        first.connect == second.connect && first.firstByte == second.firstByte && first.idle == second.idle
            && first.total == second.total
    }

    /// Feeds the limits to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(connect)
        hasher.combine(firstByte)
        hasher.combine(idle)
        hasher.combine(total)
    }
}
