/// What is wrong with a schema that is to be a shape.
public struct ShapeSchemaError: Error, Sendable, Hashable {
    /// One sentence without a final full stop.
    public var message: String
    /// The way from the schema's root to what is wrong: names and the numbers of elements.
    public var path: [String]
    /// What to write instead.
    public var suggestion: String?
}
