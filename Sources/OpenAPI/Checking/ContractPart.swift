/// A part of a description that an exchange can cover.
public struct ContractPart: Sendable, Hashable {
    /// The kind of a part.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A method of a path.
        case operation
        /// A parameter of an operation.
        case parameter
        /// A media type of a request body.
        case request
        /// A response status of an operation.
        case response
        /// A media type of a response.
        case responseContent
    }

    /// The kind.
    public let kind: Kind
    /// The operation, such as `GET /books/{id}`.
    public let operation: String
    /// The part within the operation, such as `query limit`, `application/json`, `200`, or `200 application/json`.
    ///
    /// The name is empty for the operation itself.
    public let name: String

    init(_ kind: Kind, of operation: String, name: String = "") {
        self.kind = kind
        self.operation = operation
        self.name = name
    }
}

/// The result of validating an exchange against a description.
public struct ContractOutcome: Sendable {
    /// The differences, both errors and warnings.
    public var findings: [ContractFinding] = []
    /// The parts that the exchange covers, as indices into ``Contract/parts``.
    public var covered: [Int] = []
    /// The undocumented parts of the exchange, as short descriptions: `DELETE /books`, `GET /books: status 418`.
    public var undocumented: [String] = []

    /// Creates an empty outcome.
    public init() {}
}
