/// What a generated suite has.
public struct GenerationOptions: Sendable {
    /// The path of the description from the suite's folder: what `contract` says.
    public var contractPath: String
    /// The paths of files from the suite's folder, by the URIs for which they stand: what `schemas` says.
    public var schemas: [(uri: String, path: String)] = []
    /// Operations to take, by `operationId` or as `GET /books/{id}`; empty for all.
    public var operations: [String] = []
    /// Tags whose operations are taken; empty for all.
    public var tags: [String] = []
    /// The tests with requests that the server must refuse.
    public var negativeTests = NegativeTests.documented
    /// Whether the suite starts a mock of the description.
    public var servesMock = false
    /// What values are drawn from that the description does not give.
    public var seed: UInt64 = 1

    /// Creates options.
    ///
    /// - Parameter contractPath: The path of the description from the suite's folder.
    public init(contractPath: String) {
        self.contractPath = contractPath
    }

    /// Whether an operation is one to take.
    func takes(_ operation: Operation) -> Bool {
        let isNamed =
            operations.isEmpty
            || operations.contains { $0 == operation.id || $0.lowercased() == operation.title.lowercased() }
        return isNamed && (tags.isEmpty || operation.tags.contains { tags.contains($0) })
    }
}

/// The tests with requests that a server must refuse.
public enum NegativeTests: Sendable {
    /// None.
    case none
    /// Those whose refusal the description documents, and those without valid credentials.
    case documented
    /// All, whether or not the description documents a refusal.
    case always
}
