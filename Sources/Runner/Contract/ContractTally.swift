import OpenAPI
import Synchronization

/// What a run's exchanges covered of one description.
final class ContractTally: Sendable {
    private let covered: AtomicFlags
    /// What is not documented; what is covered joins it at the end.
    private let coverage: Mutex<ContractCoverage>

    /// Creates the tally of no exchange.
    init(_ contract: Contract) {
        let coverage = contract.emptyCoverage
        covered = AtomicFlags(count: coverage.items.count)
        self.coverage = Mutex(coverage)
    }

    /// Notes what came of an exchange.
    func record(_ outcome: ContractOutcome) {
        for item in outcome.covered { covered.set(item) }
        guard !outcome.undocumented.isEmpty else { return }
        var undocumented = ContractOutcome()
        undocumented.undocumented = outcome.undocumented
        coverage.withLock { $0.record(undocumented) }
    }

    /// The coverage so far.
    var total: ContractCoverage {
        var all = ContractOutcome()
        all.covered = covered.indices
        return coverage.withLock { coverage in
            coverage.record(all)
            return coverage
        }
    }
}
