public import OpenAPI
public import SuiteModel

/// What came of holding an exchange against a suite's contract.
public struct ContractVerdict: Sendable {
    /// The differences that are errors, for the step.
    public var findings: [Finding] = []
    /// The differences that are warnings, for the run.
    public var warnings: [ContractFinding] = []
    /// All of it, with what was covered.
    public var outcome = ContractOutcome()
}
