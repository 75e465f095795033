import OpenAPI
import SuiteModel
import Synchronization

/// What a run's exchanges came to against the contracts of its suites.
final class ContractLedger: Sendable {
    /// What makes two warnings the same, whatever values they name.
    private struct Warning: Hashable {
        let rule: ContractRule
        let operation: String?
        let place: DescriptionNode?
        /// What tells warnings without an operation apart, and those about what is not documented.
        let text: String
    }

    private let contracts: [RunningContract?]
    /// One for each description, in the order in which suites name them.
    private let tallies: [ContractTally]
    private let warnings = Mutex<Set<Warning>>([])

    /// Creates a ledger of no exchange.
    init(_ suites: [Suite]) {
        var tallies: [ObjectIdentifier: ContractTally] = [:]
        var order: [ContractTally] = []
        contracts = suites.map { suite in
            guard let contract = suite.contract else { return nil }
            let id = ObjectIdentifier(contract.contract)
            if let known = tallies[id] { return RunningContract(contract, tally: known) }
            let tally = ContractTally(contract.contract)
            tallies[id] = tally
            order.append(tally)
            return RunningContract(contract, tally: tally)
        }
        self.tallies = order
    }

    /// The contract of a suite; nil when it has none.
    func contract(ofSuite index: Int) -> RunningContract? { contracts[index] }

    /// Whether a warning is the first of its kind: the same operation, check and place in the description.
    func isNew(_ finding: ContractFinding) -> Bool {
        let isAboutUndocumented =
            switch finding.rule {
            case .undocumentedOperation, .undocumentedStatus, .undocumentedContentType, .requestParameters: true
            default: false
            }
        let warning = Warning(
            rule: finding.rule, operation: finding.operation, place: finding.place,
            text: isAboutUndocumented ? finding.message : "")
        return warnings.withLock { $0.insert(warning).inserted }
    }

    /// The coverage of each description; one that suites use with different settings is one.
    var coverages: [ContractCoverage] { ContractCoverage.merged(tallies.map(\.total)) }
}
