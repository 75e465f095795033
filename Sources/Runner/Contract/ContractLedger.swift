import Basics
import Expectations
import OpenAPI
import RunModel
import SuiteModel
import Synchronization

/// The contract coverage of a run, and the warnings that its exchanges caused.
final class ContractLedger: Sendable {
    /// The identity of a warning, regardless of the values in its message.
    private struct Warning: Hashable {
        let rule: ContractRule
        let operation: String?
        let location: DescriptionNode?
        /// The text that distinguishes warnings without an operation, and those about undocumented parts.
        let text: String
    }

    private let contracts: [RunningContract?]
    /// One tally for each description, in the order in which the suites name them.
    private let tallies: [ContractTally]
    private let warnings = Mutex<Set<Warning>>([])

    /// Creates an empty ledger for the contracts of the given suites.
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

    /// Returns the contract of a suite, or nil if it has none.
    func contract(ofSuite index: Int) -> RunningContract? { contracts[index] }

    /// Returns whether a warning is the first one for its operation, rule and location in the description.
    func isNew(_ finding: ContractFinding) -> Bool {
        let isAboutUndocumented =
            switch finding.rule {
            case .undocumentedOperation, .undocumentedStatus, .undocumentedContentType, .requestParameters: true
            default: false
            }
        let warning = Warning(
            rule: finding.rule, operation: finding.operation, location: finding.location,
            text: isAboutUndocumented ? finding.message.text : "")
        return warnings.withLock { $0.insert(warning).inserted }
    }

    /// The coverage of each description. Uses of the same description with different settings are merged.
    var coverages: [ContractCoverage] { ContractCoverage.merged(tallies.map(\.total)) }
}

/// The parts of one description that the exchanges of a run have covered.
final class ContractTally: Sendable {
    private let covered: AtomicFlags
    /// The undocumented parts; the covered ones are added at the end.
    private let coverage: Mutex<ContractCoverage>

    /// Creates an empty tally.
    init(_ contract: Contract) {
        covered = AtomicFlags(count: contract.parts.count)
        coverage = Mutex(
            ContractCoverage(description: contract.name, items: contract.parts.map { ContractCoverage.Item($0) }))
    }

    /// Records the outcome of an exchange.
    func record(_ outcome: ContractOutcome) {
        for item in outcome.covered { covered.set(item) }
        guard !outcome.undocumented.isEmpty else { return }
        coverage.withLock { coverage in
            for text in outcome.undocumented { coverage.note(undocumented: text) }
        }
    }

    /// The coverage so far.
    var total: ContractCoverage {
        let covered = covered.indices
        return coverage.withLock { coverage in
            coverage.record(covered: covered)
            return coverage
        }
    }
}

extension ContractCoverage.Item {
    /// Creates an uncovered item for a part of a description.
    init(_ part: ContractPart) {
        let kind: Kind =
            switch part.kind {
            case .operation: .operation
            case .parameter: .parameter
            case .request: .request
            case .response: .response
            case .responseContent: .responseContent
            }
        self.init(kind: kind, operation: part.operation, name: part.name)
    }
}

/// Flags that any task can set without blocking.
///
/// `@unchecked` because the words are in unsafe memory. Only atomic operations read or write them.
final class AtomicFlags: @unchecked Sendable {
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordCount: Int
    private let count: Int

    /// Creates flags that are all clear.
    init(count: Int) {
        self.count = max(0, count)
        wordCount = self.count / 64 + 1
        words = .allocate(capacity: wordCount)
        for word in 0..<wordCount { (words + word).initialize(to: Atomic(0)) }
    }

    deinit {
        words.deinitialize(count: wordCount)
        words.deallocate()
    }

    /// Sets a flag. Ignores an index out of range.
    func set(_ index: Int) {
        guard index >= 0, index < count else { return }
        let bit: UInt64 = 1 << UInt64(index & 63)
        // Most flags are set early, and a word that is only read stays in the caches of the other cores.
        if words[index >> 6].load(ordering: .relaxed) & bit == 0 {
            words[index >> 6].bitwiseOr(bit, ordering: .relaxed)
        }
    }

    /// The indices of the set flags, in ascending order.
    var indices: [Int] {
        (0..<count).filter { words[$0 >> 6].load(ordering: .acquiring) & 1 << UInt64($0 & 63) != 0 }
    }
}

/// The contract of a running suite.
final class RunningContract: Sendable {
    /// The enabled checks and the severity of their findings.
    let settings: ContractSettings
    /// The coverage of the description, shared by all suites that name it.
    let tally: ContractTally
    private let contract: Contract
    private let made = AtomicLazyReference<ContractChecker>()

    init(_ contract: SuiteContract, tally: ContractTally) {
        self.contract = contract.contract
        settings = contract.settings
        self.tally = tally
    }

    /// Returns the checker of exchanges, which is created at the first call.
    ///
    /// - Parameter baseURL: Returns the URL that the suite's relative URLs resolve against. It is known once a request
    ///   was made.
    func checker(baseURL: () -> String?) -> ContractChecker {
        made.load() ?? made.storeIfNil(ContractChecker(contract, settings: settings, baseURL: baseURL()))
    }
}
