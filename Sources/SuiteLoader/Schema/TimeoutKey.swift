/// Keys of `timeout`.
enum TimeoutKey: String, CaseIterable, Sendable {
    case connect, firstByte, total

    static let schema = MapSchema<TimeoutKey>(
        "timeout", title: "timeouts", "How long the parts of an exchange may take.",
        rows: [
            .init(.connect, .duration, "Until a connection is made."),
            .init(.firstByte, .duration, "From the request sent to the first byte of the response."),
            .init(.total, .duration, "The whole exchange, redirects included."),
        ])
}
