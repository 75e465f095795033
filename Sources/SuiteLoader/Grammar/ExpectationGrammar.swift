import Basics
import SuiteModel

/// The keys of `expect`.
enum ExpectKey: String, CaseIterable, Sendable {
    case status, headers, cookies, json, xml, html, body, text, exit, stderr, duration, size, redirects, hops, http
    case timings, certificate, trailers, events, sha256, image, snapshot, contract
    case jsonSchema = "schema"

    static let schema = MapSchema<ExpectKey>(
        "expect", title: "\"expect\"",
        "The expected response. Every expectation is checked, and every failure is reported.",
        rows: [
            .init(
                .status, .anyOf([.status, .null]), "`200`, `2xx`, `200-204`, a sequence of these, or operators."),
            .init(
                .headers, .anyOf([.members(.anyOf([.map("everyField"), .matcher(.value)])), .null]),
                "Header fields by case-insensitive name. If a field occurs several times, one must match; with `all`, every one."
            ),
            .init(
                .cookies, .anyOf([.members(.anyOf([.map("expectedCookie"), .matcher(.value)])), .null]),
                "Cookies that the response sets, by name: the expected value, or the value and attributes."),
            .init(
                .json, .anyOf([.jsonPaths, .null]),
                "JSONPath (RFC 9535) to the expected value; a path that is not singular yields a list."),
            .init(
                .jsonSchema, .anyOf([.schema, .null]),
                "A JSON Schema that the JSON body must satisfy: the path of a file, the schema itself, or `{ file, inline, format }`."
            ),
            .init(
                .xml, .anyOf([.members(.matcher(.value)), .null]),
                "XPath 1.0 to the expected result in an XML body: nodes yield a list, functions a value."),
            .init(
                .html, .anyOf([.members(.matcher(.value)), .null]),
                "XPath 1.0 to the expected result in an HTML body, which is parsed leniently."),
            .init(
                .body, .matcher(.value), "The whole body: the value of a JSON body, otherwise its text."),
            .init(
                .text, .anyOf([.matcher(.value), .null]),
                "The body as text, decoded by its charset, whatever its content type; the standard output of a command."
            ),
            .init(
                .exit, .anyOf([.matcher(.value), .null]),
                "The exit status of a command, or a sequence of possible ones (default: 0; `null` allows any)."),
            .init(
                .stderr, .anyOf([.matcher(.value), .null]),
                "The standard error of a command, without trailing line breaks."),
            .init(
                .duration, .anyOf([.matcher(.duration), .null]), "The duration of the exchange, such as `{ lt: 2s }`."),
            .init(.size, .anyOf([.matcher(.size), .null]), "The size of the decoded body, such as `{ lt: 64KB }`."),
            .init(.redirects, .anyOf([.matcher(.value), .null]), "The number of redirects followed."),
            .init(
                .hops, .anyOf([.list(.map("hop")), .map("operators"), .null]),
                "The redirects followed: each in order, or operators on the array of them."),
            .init(.http, .anyOf([.matcher(.value), .null]), "The HTTP version: 1.0, 1.1 or 2."),
            .init(.timings, .anyOf([.map("timings"), .null]), "The durations of the phases of the exchange."),
            .init(.certificate, .anyOf([.map("certificate"), .null]), "The expected certificate of the server."),
            .init(
                .trailers, .anyOf([.members(.anyOf([.map("everyField"), .matcher(.value)])), .null]),
                "Trailer fields by case-insensitive name; they follow the body."),
            .init(
                .events, .anyOf([.list(.anyOf([.map("event"), .matcher(.value)])), .null]),
                "The events of a stream, in order; other events may occur between them."),
            .init(
                .sha256, .anyOf([.matcher(.value), .null]),
                "The SHA-256 digest of the decoded body, in hexadecimal."),
            .init(.image, .anyOf([.map("image"), .null]), "The format and dimensions of an image body."),
            .init(
                .snapshot, .anyOf([.boolean, .string, .map("snapshot"), .null]),
                "Compares the response with a snapshot stored next to the suite: `true`, the name of the file, or `{ name, ignore, redact, keep }`."
            ),
            .init(
                .contract, .anyOf([.boolean, .template, .map("expectedContract"), .null]),
                "How the exchange is validated against the suite's contract: `false` to skip validation, or a mapping."),
        ],
        misplaced: [
            "assert": "it belongs next to \"expect\"", "capture": "it belongs next to \"expect\"",
            "namespaces": "it belongs at the top level of the suite", "xpath": "write \"xml\" or \"html\"",
            "header": .key("headers"),
            "equals": "write it under \"status\"", "not": "write it under \"status\"",
            "oneOf": "write it under \"status\"", "gt": "write it under \"status\"", "gte": "write it under \"status\"",
            "lt": "write it under \"status\"", "lte": "write it under \"status\"",
            "between": "write it under \"status\"",
            "schemaFormat": "write \"schema: { file: …, format: assert }\", or set it under \"defaults\"",
            "jsonSchema": .key("schema"),
            "time": .key("duration"), "cookie": .key("cookies"),
        ].merging(foreignNames) { first, _ in first })
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
                "The path of a JSON or YAML file with the schema, optionally followed by `#` and a JSON Pointer or anchor."
            ),
            .init(.inline, .anyOf([.members(.value), .boolean]), "The schema itself."),
            .init(
                .format, formatKind,
                "`assert` checks formats such as `email` and `date-time`; `annotate` does not (default: `defaults.schemaFormat`)."
            ),
        ],
        choice: .init(
            keys: [.file, .inline], conflict: "a schema is either in a file or inline",
            first: "the other one is here"))
}

/// The keys of `snapshot`.
enum SnapshotKey: String, CaseIterable, Sendable {
    case name, ignore, redact, keep

    private static let paths = ValueKind.anyOf([.string, .list(.string)])

    static let schema = MapSchema<SnapshotKey>(
        "snapshot", title: "\"snapshot\"",
        "Compares the response with a snapshot stored in a file next to the suite.",
        rows: [
            .init(
                .name, .string, "The name of the file (default: derived from the names of the test and step)."),
            .init(.ignore, paths, "JSONPaths to leave out of the body."),
            .init(
                .redact, .jsonPaths,
                "JSONPath to the expected value; the file stores only the type, such as `<integer>`."),
            .init(
                .keep, paths,
                "JSONPaths of values to compare literally even if they look like a UUID, a date-time or a token."),
        ],
        misplaced: [
            "path": "the files are in __snapshots__ next to the suite", "file": .key("name"),
            "update": "run with the option --update-snapshots", "mask": .key("redact"),
            "exclude": .key("ignore"),
        ])
}

/// The keys of an expected cookie that is a mapping with keys other than operators.
enum CookieKey: String, CaseIterable, Sendable {
    case value, path, domain, secure, httpOnly, sameSite, maxAge, expires

    static let schema = MapSchema<CookieKey>(
        "expectedCookie", title: "an expected cookie",
        "The expected value and attributes of a cookie that the response sets.",
        rows: [
            .init(.value, .matcher(.value), "The value of the cookie."),
            .init(.path, .matcher(.value), "The path to which, with everything below it, the cookie is sent."),
            .init(.domain, .matcher(.value), "The `Domain` attribute, as sent by the server."),
            .init(.secure, .matcher(.value), "Whether the cookie is sent only over HTTPS."),
            .init(.httpOnly, .matcher(.value), "Whether the cookie is hidden from scripts."),
            .init(.sameSite, .matcher(.value), "`Strict`, `Lax` or `None`, as sent by the server."),
            .init(.maxAge, .matcher(.value), "The lifetime in seconds."),
            .init(.expires, .matcher(.value), "The expiration date, for `before`, `after` and `within`."),
        ],
        misplaced: Dictionary(
            uniqueKeysWithValues: OperatorKey.allCases.map { ($0.rawValue, "write it under \"value\"") }))
}

/// The keys of `timings`.
enum TimingsKey: String, CaseIterable, Sendable {
    case dns, connect, tls, firstByte, transfer

    static let schema = MapSchema<TimingsKey>(
        "timings", title: "\"timings\"",
        "The durations of the phases of an exchange; a phase that did not occur has a duration of zero.",
        rows: [
            .init(.dns, .matcher(.duration), "The DNS lookup."),
            .init(.connect, .matcher(.duration), "The TCP connect; zero on a reused connection."),
            .init(.tls, .matcher(.duration), "The TLS handshake."),
            .init(.firstByte, .matcher(.duration), "From the end of the request to the first byte of the response."),
            .init(.transfer, .matcher(.duration), "From the first byte of the response to the last."),
        ],
        misplaced: ["total": "use \"duration\" next to \"timings\""])
}

/// The keys of an element of `hops`.
enum HopKey: String, CaseIterable, Sendable {
    case status, url, location

    static let schema = MapSchema<HopKey>(
        "hop", title: "a redirect", "The expected properties of a redirect.",
        rows: [
            .init(.status, .status, "The status of the redirect."),
            .init(.url, .matcher(.value), "The absolute URL that responded with the redirect."),
            .init(.location, .matcher(.value), "The absolute target URL."),
        ])
}

/// The keys of an element of `events` that checks the members of a server-sent event.
enum EventKey: String, CaseIterable, Sendable {
    case event, data, id

    static let schema = MapSchema<EventKey>(
        "event", title: "an event", "The expected properties of a server-sent event.",
        rows: [
            .init(.event, .matcher(.value), "The type of the event; `message` if the server sends none."),
            .init(.data, .matcher(.value), "The data: the value if it is JSON, otherwise the text."),
            .init(.id, .matcher(.value), "The id of the event."),
        ])
}

/// The keys of `image`.
enum ImageKey: String, CaseIterable, Sendable {
    case format, width, height

    static let schema = MapSchema<ImageKey>(
        "image", title: "\"image\"", "The expected properties of an image body.",
        rows: [
            .init(
                .format, .matcher(.value), "The format: `png`, `jpeg`, `gif`, `webp`, `bmp`, `avif`, `heic` or `ico`."),
            .init(.width, .matcher(.value), "The width in pixels."),
            .init(.height, .matcher(.value), "The height in pixels."),
        ])
}

/// The keys of a capture that is a mapping.
enum CaptureKey: String, CaseIterable, Sendable {
    case json, xpath, header, cookie, text, regex, status, body, all, `default`, secret, `as`

    static let schema = MapSchema<CaptureKey>(
        "capture", title: "a capture", "The source of a captured value, and how to convert it.",
        rows: [
            .init(.json, .captureSource, "The JSONPath of the value in the body."),
            .init(
                .xpath, .string, "The XPath 1.0 of the value in the body, which is HTML or XML by its content type."
            ),
            .init(.header, .string, "The name of the header."),
            .init(.cookie, .string, "The name of the cookie."),
            .init(.text, .boolean, "`true` captures the body as text, whatever its content type."),
            .init(
                .regex, .pattern,
                "A regular expression that selects a part of the value: its first group, or the whole match. Without another source, the value is the body as text."
            ),
            .init(.status, .boolean, "`true` captures the status."),
            .init(.body, .boolean, "`true` captures the whole body."),
            .init(.all, .boolean, "`true` captures all values of the header, as an array."),
            .init(
                .default, .value,
                "The value if nothing is found. Without it, the step fails; a source that yields a list gives the empty list instead."
            ),
            .init(.secret, .boolean, "Whether the value is masked in every output."),
            .init(
                .as, .choice(["integer", "number", "string", "boolean"]), "The type to convert the value to."),
        ],
        choice: .init(
            keys: [.json, .xpath, .header, .cookie, .text, .status, .body],
            conflict: "a capture has only one source", first: "the first source is here"),
        misplaced: [
            "namespaces": "it belongs at the top level of the suite",
            "jsonpath": .key("json"), "jsonPath": .key("json"), "headers": .key("header"), "cookies": .key("cookie"),
            "statusCode": .key("status"), "status_code": .key("status"),
            "duration": .instead("status", "write \"${duration}\" instead of the mapping"),
        ])

    /// Additional advice on the names of the parts of a command's result.
    static let commandHints: [String: KeyHint] = [
        "exit": .instead("text", "write \"${exit}\" instead of the mapping"),
        "exitCode": .instead("text", "write \"${exit}\" instead of the mapping"),
        "exit_code": .instead("text", "write \"${exit}\" instead of the mapping"),
        "stderr": .instead("text", "write \"${stderr}\" instead of the mapping"),
        "stdout": .key("text"),
    ]
}
