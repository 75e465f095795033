public import Diagnostics
public import OpenAPI

/// The OpenAPI description that a suite's exchanges are held against.
public struct SuiteContract: Sendable {
    /// The description; suites that name the same one share it.
    public var contract: Contract
    /// What is looked at, and how grave it is.
    public var settings: ContractSettings
    /// Where the suite names it; nil for one of the command line.
    public var range: SourceRange?

    /// Creates a suite's contract.
    public init(contract: Contract, settings: ContractSettings = ContractSettings(), range: SourceRange? = nil) {
        self.contract = contract
        self.settings = settings
        self.range = range
    }
}
