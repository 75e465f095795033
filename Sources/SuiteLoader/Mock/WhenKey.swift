import SuiteModel

/// Keys of `when`.
enum WhenKey: String, CaseIterable, Sendable {
    case query, headers, cookies, form, json, body

    static let schema = MapSchema<WhenKey>(
        "when", title: "when", "What a request must hold so that a route takes it.",
        rows: [
            .init(.query, .members(.matcher(.value)), "Query parameters by name; one value of the name must match."),
            .init(.headers, .members(.matcher(.value)), "Headers by name, in any case."),
            .init(.cookies, .members(.matcher(.value)), "Cookies that the request sends, by name."),
            .init(.form, .members(.matcher(.value)), "Fields of a form that the body is, by name."),
            .init(.json, .jsonPaths, "JSONPath (RFC 9535) to what the selected value of the body must be."),
            .init(.body, .matcher(.value), "The whole body: the value of a JSON body, otherwise its text."),
        ])
}
