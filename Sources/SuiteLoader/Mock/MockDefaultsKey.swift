/// Keys of a mock file's `defaults`.
enum MockDefaultsKey: String, CaseIterable, Sendable {
    case headers, delay, schemaFormat

    static let schema = MapSchema<MockDefaultsKey>(
        "mockDefaults", title: "defaults", "What all answers of a mock have in common.",
        rows: [
            .init(
                .headers, .members(.anyOf([.text, .list(.text)])),
                "Headers of every answer; a header of the answer itself takes the place of the one of the same name."),
            .init(.delay, .duration, "How long every answer is held back."),
            .init(
                .schemaFormat, SchemaKey.formatKind,
                "Whether `format` is checked in JSON Schemas under `when`: `assert`, or `annotate` (the default)."),
        ])
}
