public import Diagnostics
public import JSONSchema

/// A JSON Schema that a suite names or holds, compiled while the suite is loaded.
public final class CompiledSchema: Sendable {
    /// The schema.
    public let schema: JSONSchema
    /// What messages call it: `the schema order.schema.json`, `the schema`.
    public let title: String
    private let locate: @Sendable (_ location: String) -> SourceRange?

    /// Creates a compiled schema.
    ///
    /// - Parameters:
    ///   - title: What messages call it.
    ///   - locate: Finds the place in a file of a part of the schema, from the part's absolute location (`URI#/pointer`).
    public init(
        _ schema: JSONSchema, title: String,
        locate: @escaping @Sendable (_ location: String) -> SourceRange? = { _ in nil }
    ) {
        self.schema = schema
        self.title = title
        self.locate = locate
    }

    /// The place in a file of a part of the schema, or of one that it refers to; nil when it stands in no file.
    ///
    /// - Parameter location: The part's absolute location: a URI with a JSON Pointer as its fragment.
    public func place(of location: String) -> SourceRange? { locate(location) }
}
