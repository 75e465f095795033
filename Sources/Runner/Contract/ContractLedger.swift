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

    private struct State {
        var coverages: [ObjectIdentifier: ContractCoverage] = [:]
        var order: [ObjectIdentifier] = []
        var warnings: Set<Warning> = []
    }

    private let state: Mutex<State>

    /// Creates a ledger of no exchange.
    init(_ suites: [Suite]) {
        var state = State()
        for contract in suites.compactMap(\.contract?.contract) where state.coverages[ObjectIdentifier(contract)] == nil
        {
            state.coverages[ObjectIdentifier(contract)] = contract.emptyCoverage
            state.order.append(ObjectIdentifier(contract))
        }
        self.state = Mutex(state)
    }

    /// Notes what came of an exchange.
    func record(_ outcome: ContractOutcome, of contract: Contract) {
        state.withLock { $0.coverages[ObjectIdentifier(contract)]?.record(outcome) }
    }

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
        return state.withLock { $0.warnings.insert(warning).inserted }
    }

    /// The coverage of each description; one that suites use with different settings is one.
    var coverages: [ContractCoverage] {
        let all = state.withLock { state in state.order.compactMap { state.coverages[$0] } }
        return ContractCoverage.merged(all)
    }
}
