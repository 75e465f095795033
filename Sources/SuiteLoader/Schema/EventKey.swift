import SuiteModel

/// Keys of an element of `events` that looks at the members of a server-sent event.
enum EventKey: String, CaseIterable, Sendable {
    case event, data, id

    static let schema = MapSchema<EventKey>(
        "event", title: "an event", "What a server-sent event must be.",
        rows: [
            .init(.event, .matcher(.value), "The event's type; `message` when the server names none."),
            .init(.data, .matcher(.value), "The data: the value when it is JSON, otherwise the text."),
            .init(.id, .matcher(.value), "The event's identifier."),
        ])
}
