/// Keys of `defaults`.
enum DefaultsKey: String, CaseIterable, Sendable {
    case headers, query, queryStyle, cookies, compress, auth, timeout, redirects, maxBodySize, http, tls, proxy
    case unixSocket, resolve, retry, schemaFormat, expect

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
            .init(.compress, RequestKey.compressKind, "How request bodies are compressed."),
            .init(.auth, RequestKey.authKind, "How requests prove who sends them."),
            .init(
                .http, .version(RequestKey.versions),
                "The version of HTTP: 1.0, 1.1, 2, or `auto`, which takes what the server prefers."),
            .init(
                .tls, RequestKey.tlsKind,
                "Certificates and versions of TLS; a request's own keys replace these one by one."),
            .init(
                .proxy, RequestKey.proxyKind,
                "The URL of the proxy (http, https or socks5), or false for none."),
            .init(
                .unixSocket, RequestKey.unixSocketKind,
                "The path of the socket to connect to in place of the URL's host."),
            .init(
                .resolve, RequestKey.resolveKind,
                "Addresses by `host:port`, which stand for what the names resolve to."),
            .init(
                .retry, TestKey.retryKind,
                "How often a test that did not pass is tried again; a test's own replaces it."),
            .init(
                .schemaFormat, SchemaKey.formatKind,
                "Whether `format` is checked in JSON Schemas: `assert`, or `annotate` (the default)."),
            .init(
                .expect, .anyOf([.status, .map("expect")]),
                "Expectations of every exchange, merged key by key; a step's own key replaces the default's, null removes it."
            ),
        ],
        misplaced: [
            "baseURL": "it stands beside \"defaults\"", "variables": "it stands beside \"defaults\"",
            "namespaces": "it stands beside \"defaults\"",
        ])
}
