/// Keys of `respond`.
enum RespondKey: String, CaseIterable, Sendable {
    case status, headers, json, text, file, base64, body, delay, close, sequence, cycle

    static let schema = MapSchema<RespondKey>(
        "respond", title: "an answer", "An answer, with at most one body.",
        rows: [
            .init(.status, .anyOf([.integer(200...599), .template]), "The status code; without one, 200."),
            .init(
                .headers, .members(.anyOf([.text, .list(.text), .null])),
                "Headers by name; a list sends the header several times, null removes a default."),
            .init(.json, .value, "The body as a JSON value."),
            .init(.text, .text, "The body as text."),
            .init(.file, .string, "The body as a file's bytes; the path resolves against the mock file's folder."),
            .init(.base64, .string, "The body as bytes in base64."),
            .init(.body, .value, "The body: a string is text, anything else JSON."),
            .init(.delay, .duration, "How long the answer is held back."),
            .init(
                .close, .anyOf([.boolean, .choice(["body"])]),
                "`true` drops the connection without an answer, `body` after the first half of the body."),
            .init(
                .sequence, .list(.anyOf([.integer(200...599), .map("respond")])),
                "Answers that are given one after another; the last one is repeated."),
            .init(.cycle, .boolean, "Whether the sequence begins again after its last answer."),
        ],
        misplaced: [
            "when": "it stands beside \"respond\"", "xml": "write \"text\" and a Content-Type header",
            "html": "write \"text\" and a Content-Type header", "data": "did you mean \"body\"?",
            "contentType": "write it under \"headers\"", "sleep": "did you mean \"delay\"?",
        ])
}
