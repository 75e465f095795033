/// Keys of `until`: what is polled for, and how.
enum UntilKey: String, CaseIterable, Sendable {
    case status, headers, cookies, json
    case jsonSchema = "schema"
    case xml, html, body, duration, size, redirects, hops, http, timings, certificate, trailers, sha256, image, assert
    case every, within, backoff, maxDelay, abort

    /// What `until` may be: a status stands for itself alone.
    static let kind = ValueKind.anyOf([.status, .map("until")])
    static let text =
        "Repeats the request until the answer is as said here: what `expect` may hold, with `assert`, `every`, `within`, `backoff`, `maxDelay` and `abort`."

    /// What expectations have in common with `expect`, as the table's rows.
    static func expectations<Key>(as key: (String) -> Key?) -> [MapSchema<Key>.Row] {
        ExpectKey.schema.description.entries.compactMap { entry in
            key(entry.name).map { .init($0, entry.kind, entry.documentation) }
        }
            + [
                key("assert").map {
                    .init(
                        $0, .anyOf([.list(.template), .template]), "CEL expressions that must be true of the answer.")
                }
            ].compactMap { $0 }
    }

    static let misplaced: [String: String] = [
        "events": "a stream cannot be polled", "times": "write \"within: 1m\", how long is polled",
        "timeout": "write \"within\"", "interval": "write \"every\"", "delay": "write \"every\"",
        "expect": "write what is expected directly under \"until\"",
        "capture": "it stands beside \"until\", and takes values from the last answer",
        "header": "did you mean \"headers\"?", "text": "did you mean \"body\"?", "cookie": "did you mean \"cookies\"?",
    ]

    static let schema = MapSchema<UntilKey>(
        "until", title: "until", "What is polled for: the request is repeated until all of it holds.",
        rows: expectations(as: UntilKey.init(rawValue:)) + [
            .init(.every, .duration, "The wait between an answer and the next request; without it, 1s."),
            .init(.within, .duration, "How long is polled; without it, 1m."),
            .init(
                .backoff, .choice(["constant", "exponential"]),
                "Whether each wait is as long as the first (`constant`, the default) or twice the one before."),
            .init(.maxDelay, .duration, "The longest wait; without it, 1m, or `every` if that is longer."),
            .init(
                .abort, .anyOf([.status, .map("abort")]),
                "What ends the polling as failed: an answer of which all of this holds."),
        ],
        misplaced: misplaced)
}
