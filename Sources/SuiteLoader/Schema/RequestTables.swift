/// Keys of a request.
enum RequestKey: String, CaseIterable, Sendable {
    case method, url, query, queryStyle, headers, cookies, json, form, text, file, contentType, timeout, redirects
    case maxBodySize

    static let schema = MapSchema<RequestKey>(
        "request", title: "a request", "A request, with at most one body.",
        rows: [
            .init(.method, .string, "The method; without one, GET."),
            .init(.url, .template, required: true, "The URL: absolute, or relative to the suite's `baseURL`."),
            .init(.query, .members(.value), "What is added to the URL's query, always percent-encoded."),
            .init(
                .queryStyle, .choice(["brackets", "repeat", "comma", "indices"]),
                "How nested values under `query` are spelled: `a[b]=1&c[]=2`, `c=2&c=3`, `c=2,3` or `c[0]=2`."),
            .init(
                .headers, .members(.anyOf([.text, .list(.text), .null])),
                "Headers by name; a list sends the header several times, null removes a default."),
            .init(.cookies, .members(.anyOf([.text, .null])), "Cookies that are sent, by name."),
            .init(.json, .value, "The body as a JSON value."),
            .init(.form, .members(.value), "The body as the fields of an HTML form, percent-encoded."),
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

/// Keys of `serve`.
enum ServeKey: String, CaseIterable, Sendable {
    case mock, command, env, ready, within, log

    static let schema = MapSchema<ServeKey>(
        "serve", title: "serve", "What is started for the run: the built-in mock server, or a command.",
        rows: [
            .init(.mock, .string, "The mock file that the built-in server serves, in process."),
            .init(
                .command, .list(.text),
                "A program and its arguments; `${port}` is a free port that is chosen for the run."),
            .init(.env, .members(.text), "Variables that are added to the command's environment."),
            .init(
                .ready, .template,
                "The request, `METHOD url`, that is answered with 2xx once the command is ready; without it, its port must accept."
            ),
            .init(.within, .duration, "How long the command may take to be ready; without it, 30s."),
            .init(.log, .string, "The file that takes the command's output."),
        ])
}

/// Keys of a capture that is a map.
enum CaptureKey: String, CaseIterable, Sendable {
    case json, header, cookie, regex, status, body, `default`, secret, `as`

    static let schema = MapSchema<CaptureKey>(
        "capture", title: "a capture", "Where a captured value comes from, and what becomes of it.",
        rows: [
            .init(.json, .captureSource, "The JSONPath of the value in the body."),
            .init(.header, .string, "The name of the header."),
            .init(.cookie, .string, "The name of the cookie."),
            .init(.regex, .pattern, "A regular expression on the body's text; its first group is the value."),
            .init(.status, .boolean, "`true` takes the status."),
            .init(.body, .boolean, "`true` takes the whole body."),
            .init(.default, .value, "The value when nothing is found; without one, finding nothing fails the step."),
            .init(.secret, .boolean, "Whether the value is masked in every output."),
            .init(
                .as, .choice(["integer", "number", "string", "boolean"]), "What the value is turned into."),
        ],
        unsupported: [("xpath", "The XPath of the value in an XML or HTML body.")])
}
