import SuiteModel

/// The keys of `expect`.
enum ExpectKey: String, CaseIterable, Sendable {
    case status, headers, cookies, json, xml, html, body, duration, size, redirects, hops, http, timings, certificate,
        trailers
    case events, sha256, image, snapshot, contract
    case jsonSchema = "schema"

    static let schema = MapSchema<ExpectKey>(
        "expect", title: "expect", "What a response must be; all of it is checked, and every failure is shown.",
        rows: [
            .init(
                .status, .anyOf([.status, .null]), "`200`, `2xx`, `200-204`, a list of these, or operators."),
            .init(
                .headers, .anyOf([.members(.anyOf([.map("everyField"), .matcher(.value)])), .null]),
                "Headers by name, in any case; of a header that is sent several times one must match, or with `all` every one."
            ),
            .init(
                .cookies, .anyOf([.members(.anyOf([.map("expectedCookie"), .matcher(.value)])), .null]),
                "Cookies that the response sets, by name: what the value must be, or the value and the attributes."),
            .init(
                .json, .anyOf([.jsonPaths, .null]),
                "JSONPath (RFC 9535) to what the selected value must be; several matches give a list."),
            .init(
                .jsonSchema, .anyOf([.schema, .null]),
                "A JSON Schema that the body, read as JSON, must satisfy: the path of a file, the schema itself, or `{ file, inline, format }`."
            ),
            .init(
                .xml, .anyOf([.members(.matcher(.value)), .null]),
                "XPath 1.0 to what it must give in the body, which is read as XML; several nodes give a list."),
            .init(
                .html, .anyOf([.members(.matcher(.value)), .null]),
                "XPath 1.0 to what it must give in the body, which is read as HTML, leniently."),
            .init(
                .body, .matcher(.value), "The whole body: the value of a JSON body, otherwise its text."),
            .init(.duration, .anyOf([.matcher(.duration), .null]), "How long the exchange takes, as `{ lt: 2s }`."),
            .init(.size, .anyOf([.matcher(.size), .null]), "The size of the decoded body, as `{ lt: 64KB }`."),
            .init(.redirects, .anyOf([.matcher(.value), .null]), "How many redirects were followed."),
            .init(
                .hops, .anyOf([.list(.map("hop")), .map("operators"), .null]),
                "The redirects that were followed: each in order, or operators on the list of them."),
            .init(.http, .anyOf([.matcher(.value), .null]), "The version of HTTP: 1.0, 1.1 or 2."),
            .init(.timings, .anyOf([.map("timings"), .null]), "How long the phases of the exchange take."),
            .init(.certificate, .anyOf([.map("certificate"), .null]), "What the server's certificate must be."),
            .init(
                .trailers, .anyOf([.members(.anyOf([.map("everyField"), .matcher(.value)])), .null]),
                "Trailer fields by name, in any case; they come after the body."),
            .init(
                .events, .anyOf([.list(.anyOf([.map("event"), .matcher(.value)])), .null]),
                "The events of a stream, in order; others may come between them."),
            .init(
                .sha256, .anyOf([.matcher(.value), .null]),
                "The SHA-256 digest of the decoded body, in hexadecimal digits."),
            .init(.image, .anyOf([.map("image"), .null]), "The format and the size of the image that the body is."),
            .init(
                .snapshot, .anyOf([.boolean, .string, .map("snapshot"), .null]),
                "That the response is as it was when it was stored in a file beside the suite: `true`, the file's name, or `{ name, ignore, redact, keep }`."
            ),
            .init(
                .contract, .anyOf([.boolean, .template, .map("expectedContract"), .null]),
                "How the exchange is held against the suite's contract: `false` for not at all, or a map."),
        ],
        misplaced: [
            "assert": "it stands beside \"expect\"", "capture": "it stands beside \"expect\"",
            "namespaces": "it stands at the top level of the suite", "xpath": "did you mean \"xml\" or \"html\"?",
            "text": "did you mean \"body\"?", "header": "did you mean \"headers\"?",
            "equals": "write it under \"status\"", "not": "write it under \"status\"",
            "oneOf": "write it under \"status\"", "gt": "write it under \"status\"", "gte": "write it under \"status\"",
            "lt": "write it under \"status\"", "lte": "write it under \"status\"",
            "between": "write it under \"status\"",
            "schemaFormat": "write \"schema: { file: …, format: assert }\", or put it under \"defaults\"",
            "jsonSchema": "did you mean \"schema\"?",
            "time": "did you mean \"duration\"?", "cookie": "did you mean \"cookies\"?",
        ])
}

/// The keys of a schema with options.
enum SchemaKey: String, CaseIterable, Sendable {
    case file, inline, format

    /// The values of `format`.
    enum Format: String, CaseIterable, Sendable {
        /// Validates formats.
        case assert
        /// Treats formats as annotations, which are not validated.
        case annotate
    }

    /// The allowed values of `format` and `schemaFormat`.
    static let formatKind = ValueKind.choice(Format.allCases.map(\.rawValue))

    static let schema = MapSchema<SchemaKey>(
        "schema", title: "a schema with options", "A JSON Schema with options: `file` or `inline`, and `format`.",
        rows: [
            .init(
                .file, .string,
                "The path of a JSON or YAML file with the schema; behind `#` may stand a JSON Pointer or an anchor."),
            .init(.inline, .anyOf([.members(.value), .boolean]), "The schema itself."),
            .init(
                .format, formatKind,
                "`assert` checks formats such as `email` and `date-time`, `annotate` does not; without it as `defaults.schemaFormat` says."
            ),
        ],
        choice: .init(
            keys: [.file, .inline], conflict: "a schema is in a file or inline, not both",
            first: "the other one is here"))
}

/// The keys of `snapshot`.
enum SnapshotKey: String, CaseIterable, Sendable {
    case name, ignore, redact, keep

    private static let paths = ValueKind.anyOf([.string, .list(.string)])

    static let schema = MapSchema<SnapshotKey>(
        "snapshot", title: "snapshot",
        "The response is compared with the one that is stored in a file beside the suite.",
        rows: [
            .init(
                .name, .string, "The name of the file; without it, it follows from the names of the test and the step."),
            .init(.ignore, paths, "JSONPaths of what is left out of the body."),
            .init(
                .redact, .jsonPaths,
                "JSONPath to what the selected values must be; the file holds only their type, as in `<integer>`."),
            .init(
                .keep, paths,
                "JSONPaths of what is compared as it is, though it looks like a UUID, a date with a time or a token."),
        ],
        misplaced: [
            "path": "the files are in __snapshots__ beside the suite", "file": "did you mean \"name\"?",
            "update": "write it with the option --update-snapshots", "mask": "did you mean \"redact\"?",
            "exclude": "did you mean \"ignore\"?",
        ])
}

/// The keys of an expected cookie that is a mapping with keys other than operators.
enum CookieKey: String, CaseIterable, Sendable {
    case value, path, domain, secure, httpOnly, sameSite, maxAge, expires

    static let schema = MapSchema<CookieKey>(
        "expectedCookie", title: "an expected cookie",
        "What the value and the attributes of a cookie must be that the response sets.",
        rows: [
            .init(.value, .matcher(.value), "The cookie's value."),
            .init(.path, .matcher(.value), "The path at and below which it is sent."),
            .init(.domain, .matcher(.value), "The domain whose hosts get it, as it is written."),
            .init(.secure, .matcher(.value), "Whether it is sent over https only."),
            .init(.httpOnly, .matcher(.value), "Whether scripts do not see it."),
            .init(.sameSite, .matcher(.value), "`Strict`, `Lax` or `None`, as it is written."),
            .init(.maxAge, .matcher(.value), "For how many seconds it is kept."),
            .init(.expires, .matcher(.value), "Until when it is kept, a date for `before`, `after` and `within`."),
        ],
        misplaced: Dictionary(
            uniqueKeysWithValues: OperatorKey.allCases.map { ($0.rawValue, "write it under \"value\"") }))
}

/// The keys of `timings`.
enum TimingsKey: String, CaseIterable, Sendable {
    case dns, connect, tls, firstByte, transfer

    static let schema = MapSchema<TimingsKey>(
        "timings", title: "timings", "How long the phases of an exchange take; one that did not happen took no time.",
        rows: [
            .init(.dns, .matcher(.duration), "Resolving the host's name."),
            .init(.connect, .matcher(.duration), "Connecting; nothing on a connection that is used again."),
            .init(.tls, .matcher(.duration), "The TLS handshake."),
            .init(.firstByte, .matcher(.duration), "From the request sent to the first byte of the response."),
            .init(.transfer, .matcher(.duration), "From the first byte to the last."),
        ],
        misplaced: ["total": "it is \"duration\" beside \"timings\""])
}

/// The keys of an element of `hops`.
enum HopKey: String, CaseIterable, Sendable {
    case status, url, location

    static let schema = MapSchema<HopKey>(
        "hop", title: "a hop", "What a redirect must be.",
        rows: [
            .init(.status, .status, "The status of the redirect."),
            .init(.url, .matcher(.value), "The absolute URL that answered with the redirect."),
            .init(.location, .matcher(.value), "The absolute URL to which it leads."),
        ])
}

/// The keys of an element of `events` that checks the members of a server-sent event.
enum EventKey: String, CaseIterable, Sendable {
    case event, data, id

    static let schema = MapSchema<EventKey>(
        "event", title: "an event", "What a server-sent event must be.",
        rows: [
            .init(.event, .matcher(.value), "The event's type; `message` when the server names none."),
            .init(.data, .matcher(.value), "The data: the value when it is JSON, otherwise the text."),
            .init(.id, .matcher(.value), "The event's identifier."),
        ])
}

/// The keys of `image`.
enum ImageKey: String, CaseIterable, Sendable {
    case format, width, height

    static let schema = MapSchema<ImageKey>(
        "image", title: "image", "What the image that the body is must be.",
        rows: [
            .init(
                .format, .matcher(.value), "The format: `png`, `jpeg`, `gif`, `webp`, `bmp`, `avif`, `heic` or `ico`."),
            .init(.width, .matcher(.value), "The width in pixels."),
            .init(.height, .matcher(.value), "The height in pixels."),
        ])
}

/// The keys of a capture that is a mapping.
enum CaptureKey: String, CaseIterable, Sendable {
    case json, xpath, header, cookie, regex, status, body, `default`, secret, `as`

    static let schema = MapSchema<CaptureKey>(
        "capture", title: "a capture", "Where a captured value comes from, and what becomes of it.",
        rows: [
            .init(.json, .captureSource, "The JSONPath of the value in the body."),
            .init(
                .xpath, .string, "The XPath 1.0 of the value in a body that is HTML by its content type, otherwise XML."
            ),
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
        choice: .init(
            keys: [.json, .xpath, .header, .cookie, .regex, .status, .body],
            conflict: "a capture has one source", first: "the first source is here"),
        misplaced: ["namespaces": "it stands at the top level of the suite"])
}
