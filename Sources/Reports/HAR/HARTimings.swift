import SuiteModel

/// Where the time of an entry went, in microseconds (HAR 1.2, "timings"); nil for what did not happen.
struct HARTimings {
    private let blocked: Int64
    private let dns: Int64?
    /// With the TLS handshake in it.
    private let connect: Int64?
    private let ssl: Int64?
    private let wait: Int64
    private let receive: Int64
    /// The sum of all but ``ssl``, which is in ``connect``.
    let total: Int64

    init(_ timings: Exchange.Timings) {
        func microseconds(_ time: Int64) -> Int64 { (max(0, time) / 100 + 5) / 10 }
        dns = timings.dns.map(microseconds)
        ssl = timings.tls.map(microseconds)
        connect = timings.connect.map { microseconds($0) + (timings.tls.map(microseconds) ?? 0) }
        wait = timings.firstByte.map(microseconds) ?? 0
        receive = timings.transfer.map(microseconds) ?? 0
        let phases = (dns ?? 0) + (connect ?? 0) + wait + receive
        // What the phases of the last request do not cover was waiting, redirects included.
        blocked = max(0, microseconds(timings.total) - phases)
        total = phases + blocked
    }

    /// Appends the members of the object, and its end.
    func write(into json: inout JSONText) {
        json.literal("\"blocked\":")
        json.number(milliseconds: blocked * 1_000)
        let isConnected = dns != nil || connect != nil
        if isConnected {
            write("dns", dns, into: &json)
            write("connect", connect, into: &json)
            json.literal(",\"send\":0,\"wait\":")
        } else {
            // As most exchanges use a connection again.
            json.literal(",\"dns\":-1,\"connect\":-1,\"send\":0,\"wait\":")
        }
        json.number(milliseconds: wait * 1_000)
        json.literal(",\"receive\":")
        json.number(milliseconds: receive * 1_000)
        if let ssl { write("ssl", ssl, into: &json) } else { json.literal(whole: ",\"ssl\":-1") }
        json.endObject()
    }

    private func write(_ name: StaticString, _ time: Int64?, into json: inout JSONText) {
        if let time { json.member(name, milliseconds: time * 1_000) } else { json.member(name, -1) }
    }
}
