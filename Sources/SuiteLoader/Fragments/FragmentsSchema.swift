import JSON

/// The JSON Schema of files of fragments, made from the tables by which they are read.
public enum FragmentsSchema {
    /// The schema's text (JSON Schema 2020-12), with a final line break.
    public static var json: String {
        let text = SchemaWriter.document(root: FragmentFileKey.schema.description, maps: maps)
        guard case .object(var schema)? = try? JSONValue(parsing: text) else { return text + "\n" }
        schema["title"] = "apitest file of fragments"
        return JSONValue.object(schema).serialized(.pretty) + "\n"
    }

    /// The descriptions of all maps of a file of fragments: those of a suite without what a suite alone has.
    private static let maps: [MapDescription] = {
        let ofSuites = [SuiteKey.schema.description.name, "environment", "serve", "test"]
        return [FragmentFileKey.schema.description] + SuiteSchema.maps.filter { !ofSuites.contains($0.name) }
    }()
}
