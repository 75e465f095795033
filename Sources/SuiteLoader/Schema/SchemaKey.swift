/// Keys of a schema with options.
enum SchemaKey: String, CaseIterable, Sendable {
    case file, inline, format

    /// What `format` may be.
    enum Format: String, CaseIterable, Sendable {
        /// Formats are checked.
        case assert
        /// Formats say something to readers and are not checked.
        case annotate
    }

    /// The kind of `format` and `schemaFormat`.
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
        ])
}
