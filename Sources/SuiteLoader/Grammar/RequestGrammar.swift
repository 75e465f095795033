import SuiteModel

/// The keys of a request.
enum RequestKey: String, CaseIterable, Sendable {
    case method, url, query, queryStyle, headers, cookies, json, form, multipart, text, xml, graphql, file, base64
    case contentType, compress, auth, timeout, redirects, maxBodySize, http, tls, proxy, unixSocket, resolve, stream

    /// The values of `http`.
    static let versions = ["1.0", "1.1", "2", "auto"]

    // Kinds that `defaults` uses, too.
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

/// The keys of a part of `multipart`.
enum PartKey: String, CaseIterable, Sendable {
    case file, json, text, type, filename, headers

    static let schema = MapSchema<PartKey>(
        "part", title: "a part", "A part of a multipart body: a file, a JSON value or text.",
        rows: [
            .init(.file, .template, "A file's bytes; the path resolves against the suite's folder."),
            .init(.json, .value, "A JSON value."),
            .init(.text, .text, "Text."),
            .init(.type, .template, "What the part's `Content-Type` says instead of its own type."),
            .init(.filename, .text, "The file name that is sent; without it, the file's own."),
            .init(.headers, .members(.anyOf([.text, .list(.text)])), "Further headers of the part."),
        ],
        choice: .init(
            keys: [.file, .json, .text], conflict: "a part has one content", first: "the first content is here",
            suggestion: "write a list of parts to send several under one name"),
        misplaced: ["contentType": "did you mean \"type\"?", "value": "did you mean \"text\"?"])
}

/// The keys of `graphql`.
enum GraphQLKey: String, CaseIterable, Sendable {
    case query, variables, operationName

    static let schema = MapSchema<GraphQLKey>(
        "graphql", title: "graphql", "A GraphQL request, sent as a JSON object.",
        rows: [
            .init(.query, .template, required: true, "The document: queries, mutations, fragments."),
            .init(.variables, .anyOf([.members(.value), .template]), "The values of the document's variables."),
            .init(.operationName, .template, "The operation that is meant, when the document has several."),
        ])
}

/// The keys of `timeout`.
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

/// The keys of `tls`.
enum TLSKey: String, CaseIterable, Sendable {
    case ca, certificate, key, passphrase, pins, verify, serverName, minVersion, maxVersion

    /// The values of `minVersion` and `maxVersion`.
    static let versions = ["1.0", "1.1", "1.2", "1.3"]

    static let schema = MapSchema<TLSKey>(
        "tls", title: "tls", "Certificates and versions of TLS.",
        rows: [
            .init(
                .ca, .anyOf([.template, .list(.template)]),
                "PEM files of authorities that are trusted instead of the system's."),
            .init(.certificate, .template, "The PEM file of the client's certificate, with those that vouch for it."),
            .init(.key, .template, "The PEM file of the client's key; without it, the certificate's file holds it."),
            .init(.passphrase, .text, "What the key is encrypted with; it is masked in every output."),
            .init(
                .pins, .anyOf([.list(.template), .template]),
                "SHA-256 digests of public keys (`sha256/` and base64), one of which the server's chain must have."),
            .init(.verify, .boolean, "False accepts any certificate."),
            .init(
                .serverName, .template,
                "The name that is sent to the server and that its certificate must have, in place of the URL's host."),
            .init(.minVersion, .version(versions), "The oldest version that is accepted."),
            .init(.maxVersion, .version(versions), "The newest version that is offered."),
        ],
        misplaced: [
            "cacert": "did you mean \"ca\"?", "cert": "did you mean \"certificate\"?",
            "insecure": "write \"verify: false\"", "sni": "did you mean \"serverName\"?",
        ])
}

/// The keys of `certificate` under `expect`.
enum CertificateKey: String, CaseIterable, Sendable {
    case subject, issuer, names, expiresIn

    static let schema = MapSchema<CertificateKey>(
        "certificate", title: "certificate", "What the server's certificate must be.",
        rows: [
            .init(.subject, .matcher(.value), "Whom it is for, as text: `CN=api.example.org,O=Example`."),
            .init(.issuer, .matcher(.value), "Who signed it, as text."),
            .init(
                .names, .matcher(.value),
                "The list of host names and addresses that it is for, as `{ includes: api.example.org }`."),
            .init(.expiresIn, .matcher(.duration), "The time until it is no longer valid, as `{ gt: 14d }`."),
        ])
}
