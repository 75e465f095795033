import JSON

/// The JSON Schema of mock files, made from the tables by which they are read.
public enum MockSchema {
    /// The schema's text (JSON Schema 2020-12), with a final line break.
    public static var json: String {
        let root = MockKey.schema.description
        let text = SchemaWriter.document(root: root, maps: maps)
        guard case .object(var schema)? = try? JSONValue(parsing: text) else { return text + "\n" }
        schema["title"] = "apitest mock file"
        return JSONValue.object(schema).serialized(.pretty) + "\n"
    }

    /// The descriptions of all maps of a mock file.
    static let maps: [MapDescription] = [
        MockKey.schema.description, MockDefaultsKey.schema.description, RouteKey.schema.description,
        WhenKey.schema.description, RespondKey.schema.description, CollectionKey.schema.description,
        OperatorKey.schema.description, SchemaKey.schema.description, CloseToKey.schema.description,
        WithinKey.schema.description,
    ]
}
