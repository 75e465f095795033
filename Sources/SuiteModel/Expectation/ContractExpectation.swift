public import Diagnostics
public import OpenAPI

/// How one exchange is held against the suite's contract (`expect: { contract: … }`).
public struct ContractExpectation: Sendable {
    /// Whether it is not.
    public var isOff = false
    /// The operation that it is for: an `operationId`, or a method and a path.
    public var operation: String?
    /// Whether the request is held against the contract too; nil for what the suite says.
    public var checksRequest: Bool?
    /// An expression for whether the exchange is held against the contract, so that rows can differ.
    public var condition: Template?
    /// An expression for whether the request is.
    public var requestCondition: Template?
    /// An expression for the name of the operation.
    public var chosenOperation: Template?
    /// Severities that replace the suite's.
    public var severities: [ContractRule: ContractSettings.Severity] = [:]
    /// The place of the whole.
    public var range: SourceRange

    /// Creates an expectation that changes nothing.
    public init(range: SourceRange) {
        self.range = range
    }

    /// The suite's settings with what is said here in their place.
    public func applied(to settings: ContractSettings) -> ContractSettings {
        var settings = settings
        if let checksRequest { settings.checksRequests = checksRequest }
        settings.severities.merge(severities) { $1 }
        return settings
    }
}
