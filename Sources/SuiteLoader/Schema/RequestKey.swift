/// Keys of a request.
enum RequestKey: String, CaseIterable, Sendable {
    case method, url, query, queryStyle, headers, cookies, json, form, text, file, contentType, timeout, redirects
    case maxBodySize

    static let schema = MapSchema<RequestKey>(
        "request", title: "a request", "A request, with at most one body.",
        rows: [
            .init(.method, .string, "The method; without one, GET."),
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
            .init(.text, .text, "The body as text."),
            .init(.file, .template, "The body as a file's bytes; the path resolves against the suite's folder."),
            .init(.contentType, .template, "What `Content-Type` says instead of the body's own type."),
            .init(
                .timeout, .anyOf([.duration, .map("timeout")]),
                "How long the exchange may take, or each part of it."),
            .init(
                .redirects, .anyOf([.boolean, .integer(0...100)]),
                "How many redirects are followed; false follows none. Without it, 10."),
            .init(.maxBodySize, .size, "The most that the response's body may have."),
        ],
        unsupported: [
            ("multipart", "The body as parts."), ("xml", "The body as XML."), ("graphql", "A GraphQL request."),
            ("base64", "The body as bytes in base64."), ("compress", "How the body is compressed."),
            ("auth", "How the request proves who sends it."), ("http", "The version of HTTP."),
            ("tls", "Certificates and versions of TLS."), ("proxy", "The proxy through which the request goes."),
            ("unixSocket", "The socket to connect to."), ("resolve", "Addresses of host names."),
            ("stream", "How a streamed response is read."),
        ],
        misplaced: [
            "body": "write one of \"json\", \"form\", \"text\" or \"file\"",
            "data": "write one of \"json\", \"form\", \"text\" or \"file\"", "params": "did you mean \"query\"?",
            "path": "did you mean \"url\"?", "expect": "it stands beside \"request\"",
            "assert": "it stands beside \"request\"", "capture": "it stands beside \"request\"",
            "status": "it stands under \"expect\"",
        ])
}
