/// A suite made from a description.
public struct GeneratedSuite: Sendable {
    /// A part of operations that the suite does not have, or has with a made-up value.
    public struct Gap: Sendable, Hashable {
        private static let namedOperations = 3

        /// The operations: `GET /books/{id}`.
        public var operations: [String]
        /// The reason, without a final full stop.
        public var reason: String

        /// The reason with the operations, of which the first are named.
        public var text: String {
            if operations.count == 1 { return "\(operations[0]): \(reason)" }
            let rest = operations.count - Self.namedOperations
            let named = operations.prefix(Self.namedOperations).joined(separator: ", ")
            return "\(reason) (\(named)\(rest > 0 ? " and \(rest) more" : ""))"
        }
    }

    /// The suite in YAML.
    public var text: String
    /// What could not be filled in.
    public var gaps: [Gap]
    /// Facts about the whole description that whoever runs the suite has to know.
    public var notes: [String]
    /// How many operations have a test.
    public var operationCount: Int
    /// How many tests there are.
    public var testCount: Int
}
