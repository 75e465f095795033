import SuiteModel

/// Keys of `expect`.
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
