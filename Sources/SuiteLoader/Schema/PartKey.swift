/// Keys of a part of `multipart`.
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
        misplaced: ["contentType": "did you mean \"type\"?", "value": "did you mean \"text\"?"])
}
