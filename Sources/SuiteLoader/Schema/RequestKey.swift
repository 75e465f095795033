/// Keys of a request.
enum RequestKey: String, CaseIterable, Sendable {
    case method, url, query, queryStyle, headers, cookies, json, form, multipart, text, xml, graphql, file, base64
    case contentType, compress, auth, timeout, redirects, maxBodySize, http, tls, proxy, unixSocket, resolve, stream

    /// The versions of HTTP that can be asked for.
    static let versions = ["1.0", "1.1", "2", "auto"]

    // What `defaults` may hold too.
    static let compressKind = ValueKind.anyOf([.choice(["gzip", "deflate"]), .null])
    static let authKind = ValueKind.anyOf([.choice(["none"]), .map("auth"), .null])
    static let tlsKind = ValueKind.anyOf([.map("tls"), .null])
    static let proxyKind = ValueKind.anyOf([.template, .boolean, .null])
    static let unixSocketKind = ValueKind.anyOf([.template, .null])
    static let resolveKind = ValueKind.anyOf([.members(.text), .null])

    static let schema = MapSchema<RequestKey>(
        "request", title: "a request", "A request, with at most one body.",
        rows: [
            .init(.method, .template, "The method; without one, GET."),
            .init(.url, .template, required: true, "The URL: absolute, or relative to the suite's `baseURL`."),
            .init(
                .query, .members(.value),
                "What is added to the URL's query, always percent-encoded; null leaves a name out."),
            .init(
                .queryStyle, .choice(["brackets", "repeat", "comma", "indices"]),
                "How nested values under `query` are spelled: `a[b]=1&c[]=2`, `c=2&c=3`, `c=2,3` or `c[0]=2`."),
            .init(
                .headers, .members(.anyOf([.text, .list(.text), .null])),
                "Headers by name; a list sends the header several times, null removes a default."),
            .init(.cookies, .members(.anyOf([.text, .null])), "Cookies that are sent, by name."),
            .init(.json, .value, "The body as a JSON value."),
            .init(
                .form, .members(.value),
                "The body as the fields of an HTML form, percent-encoded; null leaves a name out."),
            .init(
                .multipart,
                .members(.anyOf([.text, .map("part"), .list(.anyOf([.text, .map("part")])), .null])),
                "The body as parts (`multipart/form-data`): text, `{ file }` or `{ json }`; a list repeats the part, null leaves it out."
            ),
            .init(.text, .text, "The body as text."),
            .init(.xml, .template, "The body as XML."),
            .init(.graphql, .map("graphql"), "A GraphQL request; the method is POST unless one is given."),
            .init(.file, .template, "The body as a file's bytes; the path resolves against the suite's folder."),
            .init(.base64, .template, "The body as bytes, written in base64."),
            .init(.contentType, .template, "What `Content-Type` says instead of the body's own type."),
            .init(.compress, compressKind, "How the body is compressed."),
            .init(
                .auth, authKind, "How the request proves who sends it; `none` removes a default."),
            .init(
                .timeout, .anyOf([.duration, .map("timeout")]),
                "How long the exchange may take, or each part of it."),
            .init(
                .redirects, .anyOf([.boolean, .integer(0...100)]),
                "How many redirects are followed; false follows none. Without it, 10."),
            .init(.maxBodySize, .size, "The most that the response's body may have."),
            .init(
                .http, .version(versions),
                "The version of HTTP: 1.0, 1.1, 2, or `auto` (the default), which takes what the server prefers."),
            .init(.tls, tlsKind, "Certificates and versions of TLS."),
            .init(.proxy, proxyKind, "The URL of the proxy (http, https or socks5), or false for none."),
            .init(
                .unixSocket, unixSocketKind, "The path of the socket to connect to in place of the URL's host."),
            .init(
                .resolve, resolveKind,
                "Addresses by `host:port`, which stand for what the names resolve to."),
            .init(
                .stream, .choice(["sse", "lines"]),
                "The response is read as server-sent events or lines, until every one that `events` expects has come."),
        ],
        misplaced: [
            "body": "write one of \"json\", \"form\", \"multipart\", \"text\" or \"file\"",
            "data": "write one of \"json\", \"form\", \"multipart\", \"text\" or \"file\"",
            "params": "did you mean \"query\"?",
            "files": "did you mean \"multipart\"?", "authorization": "did you mean \"auth\"?",
            "retry": "it stands beside \"request\"", "path": "did you mean \"url\"?",
            "expect": "it stands beside \"request\"",
            "assert": "it stands beside \"request\"", "capture": "it stands beside \"request\"",
            "status": "it stands under \"expect\"",
        ])
}
