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

    /// Appends the members `cache`, in which nothing is, and `timings`, with a comma before each.
    func write(into json: inout JSONText) {
        json.text(upTo: 320, isWhole: true) { text in
            text.write(",\"cache\":{},\"timings\":{\"blocked\":")
            text.write(milliseconds: blocked * 1_000)
            if dns == nil, connect == nil {
                // As most exchanges use a connection again.
                text.write(",\"dns\":-1,\"connect\":-1")
            } else {
                text.write(",\"dns\":")
                Self.write(dns, into: &text)
                text.write(",\"connect\":")
                Self.write(connect, into: &text)
            }
            text.write(",\"send\":0,\"wait\":")
            text.write(milliseconds: wait * 1_000)
            text.write(",\"receive\":")
            text.write(milliseconds: receive * 1_000)
            text.write(",\"ssl\":")
            Self.write(ssl, into: &text)
            text.write("}")
        }
    }

    private static func write(_ time: Int64?, into text: inout ByteWriter) {
        if let time { text.write(milliseconds: time * 1_000) } else { text.write("-1") }
    }
}
