import JSON

/// The JSON Schema of the lines of a record.
public enum EventsSchema {
    /// The schema's text (JSON Schema 2020-12), with a final line break.
    public static var json: String { schema.serialized(.pretty) + "\n" }

    /// A line of an event that is not known is valid, as readers pass over it.
    static var schema: JSONValue {
        var definitions = JSONObject()
        for object in lines + parts { definitions[object.name] = object.schema }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A line of an apitest record",
            "description": .string(
                "An event of a run. Times and durations are in nanoseconds. A reader passes over events and members that "
                    + "it does not know."),
            "type": "object", "required": ["event"],
            "properties": [
                "event": ["type": "string", "description": .string("What happened.")]
            ],
            "allOf": .array(
                lines.map { line in
                    [
                        "if": ["properties": ["event": ["const": .string(line.name)]]],
                        "then": ["$ref": .string("#/$defs/\(line.name)")],
                    ]
                }), "$defs": .object(definitions),
        ]
    }

    /// The sections of the documentation that say what each line and each part of one holds.
    static var markdown: String {
        "## Lines\n\n" + lines.map(\.markdown).joined(separator: "\n") + "\n## Parts\n\n"
            + parts.map(\.markdown).joined(separator: "\n")
    }
}
