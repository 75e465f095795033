/// A part of a description that an exchange can be an instance of.
public struct ContractPart: Sendable, Hashable {
    /// A kind of parts.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A method on a path.
        case operation
        /// A parameter of an operation.
        case parameter
        /// A media type of what an operation is sent.
        case request
        /// A status that an operation may answer.
        case response
        /// A media type of a response.
        case responseContent
    }

    /// The kind.
    public let kind: Kind
    /// The operation: `GET /books/{id}`.
    public let operation: String
    /// Which of its parts: `query limit`, `application/json`, `200`, `200 application/json`; empty for the operation.
    public let name: String

    init(_ kind: Kind, of operation: String, name: String = "") {
        self.kind = kind
        self.operation = operation
        self.name = name
    }
}

/// What came of holding an exchange against a description.
public struct ContractOutcome: Sendable {
    /// The differences, errors and warnings.
    public var findings: [ContractFinding] = []
    /// What of the description the exchange was an instance of, as indices of ``Contract/parts``.
    public var covered: [Int] = []
    /// What the exchange had that is not documented, as short texts: `DELETE /books`, `GET /books: status 418`.
    public var undocumented: [String] = []

    /// Creates the outcome of an exchange in which nothing was looked at.
    public init() {}
}
