import SuiteModel

/// Keys of `timings`.
enum TimingsKey: String, CaseIterable, Sendable {
    case dns, connect, tls, firstByte, transfer

    static let schema = MapSchema<TimingsKey>(
        "timings", title: "timings", "How long the phases of an exchange take; one that did not happen took no time.",
        rows: [
            .init(.dns, .matcher(.duration), "Resolving the host's name."),
            .init(.connect, .matcher(.duration), "Connecting; nothing on a connection that is used again."),
            .init(.tls, .matcher(.duration), "The TLS handshake."),
            .init(.firstByte, .matcher(.duration), "From the request sent to the first byte of the response."),
            .init(.transfer, .matcher(.duration), "From the first byte to the last."),
        ],
        misplaced: ["total": "it is \"duration\" beside \"timings\""])
}
