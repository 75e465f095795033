/// A suite made from a description.
public struct GeneratedSuite: Sendable {
    /// What the suite does not have, or has with a made-up value, of an operation.
    public struct Gap: Sendable, Hashable {
        /// The operation: `GET /books/{id}`.
        public var operation: String
        /// Why, as a sentence without a final full stop.
        public var reason: String
    }

    /// The suite in YAML.
    public var text: String
    /// What could not be filled in.
    public var gaps: [Gap]
    /// How many operations have a test.
    public var operationCount: Int
    /// How many tests there are.
    public var testCount: Int
}
