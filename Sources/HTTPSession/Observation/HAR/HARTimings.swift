public import JSON

/// Where the time of an entry went, in milliseconds; -1 for what did not happen.
public struct HARTimings: Sendable, Hashable, Codable {
    /// Waiting: for a connection, and in attempts that met a connection which the server had closed.
    public var blocked: Double
    /// Name resolution.
    public var dns: Double
    /// The TCP connection and the TLS handshake.
    public var connect: Double
    /// Sending the request.
    public var send: Double
    /// Waiting for the response's first byte.
    public var wait: Double
    /// Receiving the response.
    public var receive: Double
    /// The TLS handshake, which is in ``connect`` too.
    public var ssl: Double

    /// Creates the timings of an exchange.
    public init(_ metrics: ExchangeMetrics) {
        let phases = [
            metrics.dns, metrics.connect, metrics.tls, metrics.send, metrics.firstByte, metrics.receive,
        ].reduce(Duration.zero) { $0 + ($1 ?? .zero) }
        // What the phases of the last attempt do not cover was waiting.
        blocked = HARTime.milliseconds(max(metrics.queued, metrics.total - phases))
        dns = metrics.dns.map(HARTime.milliseconds) ?? -1
        connect = metrics.connect.map { HARTime.milliseconds($0 + (metrics.tls ?? .zero)) } ?? -1
        ssl = metrics.tls.map(HARTime.milliseconds) ?? -1
        send = HARTime.milliseconds(metrics.send)
        wait = HARTime.milliseconds(metrics.firstByte)
        receive = HARTime.milliseconds(metrics.receive)
    }

    /// The sum of what happened: ``ssl`` is in ``connect``.
    public var total: Double {
        let sum = [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) }
        return (sum * 1000).rounded() / 1000
    }

    /// The timings as they are in the file.
    public var json: JSONValue {
        [
            "blocked": Self.number(blocked), "dns": Self.number(dns), "connect": Self.number(connect),
            "send": Self.number(send), "wait": Self.number(wait), "receive": Self.number(receive),
            "ssl": Self.number(ssl),
        ]
    }

    static func number(_ value: Double) -> JSONValue { JSONNumber(value).map(JSONValue.number) ?? 0 }
}
