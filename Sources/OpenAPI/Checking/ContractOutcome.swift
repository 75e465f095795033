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
