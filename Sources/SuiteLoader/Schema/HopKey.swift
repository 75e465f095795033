import SuiteModel

/// Keys of an element of `hops`.
enum HopKey: String, CaseIterable, Sendable {
    case status, url, location

    static let schema = MapSchema<HopKey>(
        "hop", title: "a hop", "What a redirect must be.",
        rows: [
            .init(.status, .status, "The status of the redirect."),
            .init(.url, .matcher(.value), "The absolute URL that answered with the redirect."),
            .init(.location, .matcher(.value), "The absolute URL to which it leads."),
        ])
}
