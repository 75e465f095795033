/// The options that let files stand for the URIs of references.
struct SchemaFileOptions: OptionGroup {
    var schema: [String] = []

    static var syntax: [Syntax] {
        [
            .option(
                "schema", value: "uri=file", \.schema,
                "A file that stands for the URI of a $ref; a URI that ends with / stands for a directory. Can be given several times."
            )
        ]
    }

    /// The URIs and files.
    var files: [(uri: String, file: String)] { schema.compactMap { Self.parts(ofSchema: $0) } }

    func validate() throws {
        for entry in schema where Self.parts(ofSchema: entry) == nil {
            throw UsageError(
                "--schema \(entry): write a URI and a file, such as https://example.com/book.json=book.json")
        }
    }

    private static func parts(ofSchema entry: String) -> (uri: String, file: String)? {
        guard let separator = entry.lastIndex(of: "="), entry[..<separator].contains(":") else { return nil }
        let file = entry[entry.index(after: separator)...]
        return file.isEmpty ? nil : (String(entry[..<separator]), String(file))
    }
}
