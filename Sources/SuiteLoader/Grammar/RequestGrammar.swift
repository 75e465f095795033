import Basics
import SuiteModel

/// The keys of a request.
enum RequestKey: String, CaseIterable, Sendable {
    case method, url, query, queryStyle, headers, cookies, json, form, multipart, text, xml, graphql, file, base64
    case contentType, compress, auth, timeout, redirects, maxBodySize, http, tls, proxy, unixSocket, resolve, trace
    case stream

    /// The values of `http`.
    static let versions = ["1.0", "1.1", "2", "auto"]

    // Kinds and descriptions that `defaults` uses, too.
    static let compressKind = ValueKind.anyOf([.choice(["gzip", "deflate"]), .null])
    static let authKind = ValueKind.anyOf([.choice(["none"]), .map("auth"), .null])
    static let tlsKind = ValueKind.anyOf([.map("tls"), .null])
    static let proxyKind = ValueKind.anyOf([.template, .boolean, .null])
    static let unixSocketKind = ValueKind.anyOf([.template, .null])
    static let resolveKind = ValueKind.anyOf([.members(.text), .null])
    static let traceText =
        "Whether each exchange is sent with a new trace ID in a `traceparent` header (W3C Trace Context)."

    static let schema = MapSchema<RequestKey>(
        "request", title: "a request", "A request, with at most one body.",
        rows: [
            .init(.method, .template, "The method (default: GET)."),
            .init(.url, .template, required: true, "The URL: absolute, or relative to the suite's `baseURL`."),
            .init(
                .query, .anyOf([.members(.value), .expression]),
                "Query parameters to add to the URL, percent-encoded; null removes a parameter."),
            .init(
                .queryStyle, .choice(["brackets", "repeat", "comma", "indices"]),
                "The style of nested values under `query`: `a[b]=1&c[]=2`, `c=2&c=3`, `c=2,3` or `c[0]=2`."),
            .init(
                .headers, .anyOf([.members(RequestReader.headerKind), .expression]),
                "Headers by name; a sequence sends the header several times, null leaves it out and removes a default."),
            .init(
                .cookies, .anyOf([.choice(["none"]), .members(.anyOf([.text, .null])), .expression]),
                "Cookies to send with those of the cookie jar, by name; null withholds a cookie, `none` sends no cookies."
            ),
            .init(.json, .value, "The body as a JSON value."),
            .init(
                .form, .anyOf([.members(.value), .expression]),
                "The body as percent-encoded fields of an HTML form; null leaves a field out."),
            .init(
                .multipart,
                .members(.anyOf([.text, .map("part"), .list(.anyOf([.text, .map("part")])), .null])),
                "The body as parts (`multipart/form-data`): a string, `{ file }` or `{ json }`. A sequence repeats a part, null leaves it out."
            ),
            .init(.text, .text, "The body as text."),
            .init(.xml, .template, "The body as XML."),
            .init(.graphql, .map("graphql"), "A GraphQL request; the method defaults to POST."),
            .init(
                .file, .template, "The body as the bytes of a file; the path is relative to the directory of the suite."
            ),
            .init(.base64, .template, "The body as base64-encoded bytes."),
            .init(.contentType, .template, "The `Content-Type`, instead of the default for the body."),
            .init(.compress, compressKind, "The compression of the body."),
            .init(
                .auth, authKind, "How the request authenticates; `none` removes a default."),
            .init(
                .timeout, .anyOf([.duration, .map("timeout")]),
                "The timeout of the exchange, or of each phase of it."),
            .init(
                .redirects, .anyOf([.boolean, .integer(0...100)]),
                "The maximum number of redirects to follow (default: 10); false follows none."),
            .init(.maxBodySize, .size, "The maximum size of the response body."),
            .init(
                .http, .version(versions),
                "The HTTP version: 1.0, 1.1, 2, or `auto` (the default), which uses the version that the server prefers."
            ),
            .init(.tls, tlsKind, "TLS certificates and versions."),
            .init(.proxy, proxyKind, "The proxy URL (http, https or socks5), or false for no proxy."),
            .init(
                .unixSocket, unixSocketKind, "The path of a Unix domain socket to connect to instead of the URL's host."
            ),
            .init(
                .resolve, resolveKind,
                "Addresses, each with an optional port, by `host:port`, used instead of DNS."),
            .init(.trace, .boolean, traceText),
            .init(
                .stream, .choice(["sse", "lines"]),
                "Reads the response as server-sent events or lines, until every event expected under `events` has arrived."
            ),
        ],
        misplaced: [
            "body": "write one of \"json\", \"form\", \"multipart\", \"text\" or \"file\"",
            "data": "write one of \"json\", \"form\", \"multipart\", \"text\" or \"file\"",
            "params": .key("query"),
            "files": .key("multipart"), "authorization": .key("auth"),
            "retry": "it belongs next to \"request\"", "path": .key("url"),
            "expect": "it belongs next to \"request\"",
            "assert": "it belongs next to \"request\"", "capture": "it belongs next to \"request\"",
            "status": .under("expect"),
        ])
}

/// The keys of a part of `multipart`.
enum PartKey: String, CaseIterable, Sendable {
    case file, json, text, type, filename, headers

    static let schema = MapSchema<PartKey>(
        "part", title: "a part", "A part of a multipart body: a file, a JSON value or text.",
        rows: [
            .init(.file, .template, "The bytes of a file; the path is relative to the directory of the suite."),
            .init(.json, .value, "A JSON value."),
            .init(.text, .text, "Text."),
            .init(.type, .template, "The `Content-Type` of the part, instead of its default."),
            .init(.filename, .text, "The file name to send (default: the name of the file)."),
            .init(
                .headers, .anyOf([.members(RequestReader.headerKind), .expression]),
                "Additional headers of the part; null leaves one out."),
        ],
        choice: .init(
            keys: [.file, .json, .text], conflict: "a part has only one content", first: "the first content is here",
            suggestion: "write a sequence of parts to send several with one name"),
        misplaced: ["contentType": .key("type"), "value": .key("text")])
}

/// The keys of `graphql`.
enum GraphQLKey: String, CaseIterable, Sendable {
    case query, variables, operationName

    static let schema = MapSchema<GraphQLKey>(
        "graphql", title: "\"graphql\"", "A GraphQL request, sent as a JSON object.",
        rows: [
            .init(.query, .template, required: true, "The document: queries, mutations, fragments."),
            .init(.variables, .anyOf([.members(.value), .template]), "The values of the document's variables."),
            .init(.operationName, .template, "The operation to execute, if the document has several."),
        ])
}

/// The keys of `timeout`.
enum TimeoutKey: String, CaseIterable, Sendable {
    case connect, firstByte, total

    static let schema = MapSchema<TimeoutKey>(
        "timeout", title: "\"timeout\"", "The timeouts of the phases of an exchange.",
        rows: [
            .init(.connect, .duration, "Until the connection is established."),
            .init(.firstByte, .duration, "From the end of the request to the first byte of the response."),
            .init(.total, .duration, "The whole exchange, including redirects."),
        ])
}

/// The keys of `tls`.
enum TLSKey: String, CaseIterable, Sendable {
    case ca, certificate, key, passphrase, pins, verify, serverName, minVersion, maxVersion

    /// The values of `minVersion` and `maxVersion`.
    static let versions = ["1.0", "1.1", "1.2", "1.3"]

    static let schema = MapSchema<TLSKey>(
        "tls", title: "\"tls\"", "TLS certificates and versions.",
        rows: [
            .init(
                .ca, .anyOf([.template, .list(.template)]),
                "PEM files of CAs to trust instead of the system's."),
            .init(.certificate, .template, "The PEM file of the client certificate and its chain."),
            .init(.key, .template, "The PEM file of the client's private key (default: the certificate file)."),
            .init(.passphrase, .text, "The passphrase of the key; it is masked in every output."),
            .init(
                .pins, .anyOf([.list(.template), .template]),
                "SHA-256 digests of public keys (`sha256/` and base64); the server's chain must contain one of them."),
            .init(.verify, .boolean, "Whether the server certificate is verified; false accepts any certificate."),
            .init(
                .serverName, .template,
                "The server name for SNI and certificate verification, instead of the URL's host."),
            .init(.minVersion, .version(versions), "The minimum TLS version."),
            .init(.maxVersion, .version(versions), "The maximum TLS version."),
        ],
        misplaced: [
            "cacert": .key("ca"), "cert": .key("certificate"),
            "insecure": "write \"verify: false\"", "sni": .key("serverName"),
        ])
}

/// The keys of `certificate` under `expect`.
enum CertificateKey: String, CaseIterable, Sendable {
    case subject, issuer, names, expiresIn

    static let schema = MapSchema<CertificateKey>(
        "certificate", title: "\"certificate\"", "The expected certificate of the server.",
        rows: [
            .init(.subject, .matcher(.value), "The subject, such as `CN=api.example.org,O=Example`."),
            .init(.issuer, .matcher(.value), "The issuer, as a string."),
            .init(
                .names, .matcher(.value),
                "The array of host names and addresses that the certificate is valid for, such as `{ includes: api.example.org }`."
            ),
            .init(.expiresIn, .matcher(.duration), "The time until the certificate expires, such as `{ gt: 14d }`."),
        ])
}
