/// Keys of `apiKey`.
enum APIKeyKey: String, CaseIterable, Sendable {
    case header, query, cookie, value

    static let schema = MapSchema<APIKeyKey>(
        "apiKey", title: "apiKey", "A key, and where it is sent.",
        rows: [
            .init(.header, .template, "The name of the header that holds the key."),
            .init(.query, .template, "The name of the query parameter that holds the key."),
            .init(.cookie, .template, "The name of the cookie that holds the key."),
            .init(.value, .text, required: true, "The key; it is masked in every output."),
        ])
}
