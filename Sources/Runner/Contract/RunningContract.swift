import OpenAPI
import SuiteModel
import Synchronization

/// A suite's contract while the suite runs.
final class RunningContract: Sendable {
    /// What is looked at, and how grave it is.
    let settings: ContractSettings
    /// What is covered; suites that name the same description share it.
    let tally: ContractTally
    private let contract: Contract
    private let made = AtomicLazyReference<ContractChecker>()

    init(_ contract: SuiteContract, tally: ContractTally) {
        self.contract = contract.contract
        settings = contract.settings
        self.tally = tally
    }

    /// What holds exchanges against the contract, made at the first call.
    ///
    /// - Parameter baseURL: gives what the suite's relative URLs resolve against, which is known once a request was made.
    func checker(baseURL: () -> String?) -> ContractChecker {
        made.load() ?? made.storeIfNil(ContractChecker(contract, settings: settings, baseURL: baseURL()))
    }
}
