/// Keys of a route.
enum RouteKey: String, CaseIterable, Sendable {
    case request, when, respond

    static let schema = MapSchema<RouteKey>(
        "route", title: "a route", "A request line, what the request must hold, and the answer.",
        rows: [
            .init(
                .request, .string, required: true,
                "`METHOD /path`, or `/path` for every method; `{name}` takes a segment, `*` any part of one, `**` any number of segments."
            ),
            .init(.when, .map("when"), "What a request must hold besides; all of it must match."),
            .init(
                .respond, .anyOf([.integer(200...599), .map("respond")]), required: true,
                "The answer; a status alone may stand here."),
        ],
        allowsExtensions: true,
        misplaced: [
            "method": "write \"request: METHOD /path\"", "path": "write \"request: METHOD /path\"",
            "url": "write \"request: METHOD /path\"", "response": "did you mean \"respond\"?",
            "status": "it stands under \"respond\"", "json": "it stands under \"respond\" or \"when\"",
            "headers": "it stands under \"respond\" or \"when\"", "delay": "it stands under \"respond\"",
            "query": "it stands under \"when\"",
        ])
}
