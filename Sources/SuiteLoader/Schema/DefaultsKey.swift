/// Keys of `defaults`.
enum DefaultsKey: String, CaseIterable, Sendable {
    case headers, query, queryStyle, cookies, timeout, redirects, maxBodySize, expect

    static let schema = MapSchema<DefaultsKey>(
        "defaults", title: "defaults", "What every request and every expectation of a suite has in common.",
        rows: [
            .init(
                .headers, .members(.anyOf([.text, .list(.text)])),
                "Headers of every request; a request's own header replaces the one of the same name, null removes it."),
            .init(.query, .members(.value), "What is added to the query of every URL."),
            .init(
                .queryStyle, .choice(["brackets", "repeat", "comma", "indices"]),
                "How nested values under `query` are spelled."),
            .init(.cookies, .members(.text), "Cookies of every request."),
            .init(
                .timeout, .anyOf([.duration, .map("timeout")]),
                "How long an exchange may take, or each part of it."),
            .init(
                .redirects, .anyOf([.boolean, .integer(0...100)]),
                "How many redirects are followed; false follows none. Without it, 10."),
            .init(.maxBodySize, .size, "The most that a response's body may have."),
            .init(
                .expect, .anyOf([.status, .map("expect")]),
                "Expectations of every exchange, merged key by key; a step's own key replaces the default's, null removes it."
            ),
        ],
        unsupported: [
            ("auth", "How requests prove who sends them."),
            ("tls", "Certificates and versions of TLS."),
            ("proxy", "The proxy through which requests go."),
            ("http", "The version of HTTP."),
            ("retry", "How often a failed exchange is tried again."),
            ("compress", "How request bodies are compressed."),
            ("unixSocket", "The socket to connect to."),
            ("resolve", "Addresses of host names."),
        ],
        misplaced: ["baseURL": "it stands beside \"defaults\"", "variables": "it stands beside \"defaults\""])
}
