/// The time limits of an exchange; nil means no limit.
///
/// A request uses the limits that it sets, and the session's values for all others:
///
/// ```swift
/// var request = Request(.get, url: "report")
/// request.timeouts.firstByte = .seconds(90)
/// ```
///
/// The reader of a streamed body sets the pace. The session's ``total`` does not apply to such a body, but the
/// request's own does.
public struct Timeouts: Sendable {
    /// The set of limits that have been assigned.
    struct Fields: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let connect = Fields(rawValue: 1)
        static let firstByte = Fields(rawValue: 2)
        static let idle = Fields(rawValue: 4)
        static let total = Fields(rawValue: 8)
    }

    /// The limit for name resolution, TCP connection and TLS handshake together.
    public var connect: Duration? { didSet { fields.insert(.connect) } }
    /// The limit from the last byte of the request to the first byte of the response.
    public var firstByte: Duration? { didSet { fields.insert(.firstByte) } }
    /// The limit between two transfers of bytes while a body is sent or a response is received.
    ///
    /// The timer is paused while the reader of a streamed response has unread data. It is also paused while the request
    /// is held back by the source of a streamed body, by a rate limit, or by waiting for `100 Continue`.
    public var idle: Duration? { didSet { fields.insert(.idle) } }
    /// The limit for a whole attempt, including the wait for a connection and redirects; each retry starts over.
    ///
    /// For a streamed response, it lasts until the end of the body. Use nil for endless streams.
    public var total: Duration? { didSet { fields.insert(.total) } }
    private(set) var fields: Fields

    /// A placeholder for initializer arguments whose limit is not set.
    ///
    /// A request then uses the session's limit, and a session uses the default.
    public static let inherited = Duration.nanoseconds(Int64.min)

    /// Creates timeouts; omitted ones are inherited.
    ///
    /// In a session, the defaults are 10 seconds to connect, 30 seconds for the first byte and between bytes, and 60
    /// seconds in total.
    /// - Parameters:
    ///   - connect: The limit for name resolution, TCP connection and TLS handshake together.
    ///   - firstByte: The limit from the last byte of the request to the first byte of the response.
    ///   - idle: The limit between two transfers of bytes.
    ///   - total: The limit for a whole attempt.
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

    /// Timeouts without any limit.
    public static let unlimited = Timeouts(connect: nil, firstByte: nil, idle: nil, total: nil)

    /// Returns timeouts with a total limit, which also applies to each phase.
    public static func total(_ duration: Duration) -> Timeouts {
        Timeouts(connect: duration, firstByte: duration, idle: duration, total: duration)
    }

    /// Returns these timeouts, with unset ones inherited from `base`.
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
    /// Returns whether the limits are equal, whether set or inherited.
    public static func == (first: Timeouts, second: Timeouts) -> Bool {
        first.connect == second.connect && first.firstByte == second.firstByte && first.idle == second.idle
            && first.total == second.total
    }

    /// Hashes the limits.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(connect)
        hasher.combine(firstByte)
        hasher.combine(idle)
        hasher.combine(total)
    }
}
