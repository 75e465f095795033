import Expectations
import OpenAPI
import RunModel
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

/// What a run's exchanges covered of one description.
final class ContractTally: Sendable {
    private let covered: AtomicFlags
    /// What is not documented; what is covered joins it at the end.
    private let coverage: Mutex<ContractCoverage>

    /// Creates the tally of no exchange.
    init(_ contract: Contract) {
        covered = AtomicFlags(count: contract.parts.count)
        coverage = Mutex(
            ContractCoverage(description: contract.name, items: contract.parts.map { ContractCoverage.Item($0) }))
    }

    /// Notes what came of an exchange.
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
    /// Creates the item of a part of a description, which nothing has covered yet.
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

/// Flags that any task can set, without waiting for others.
///
/// `@unchecked`, as the words are behind a pointer: nothing but atomic operations reads or writes them.
final class AtomicFlags: @unchecked Sendable {
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordCount: Int
    private let count: Int

    /// Creates flags, none of them set.
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

    /// Sets a flag; one that there is not stays away.
    func set(_ index: Int) {
        guard index >= 0, index < count else { return }
        let bit: UInt64 = 1 << UInt64(index & 63)
        // Most flags are set soon, and a word that is only read is not taken away from other cores.
        if words[index >> 6].load(ordering: .relaxed) & bit == 0 {
            words[index >> 6].bitwiseOr(bit, ordering: .relaxed)
        }
    }

    /// The flags that are set, in order.
    var indices: [Int] {
        (0..<count).filter { words[$0 >> 6].load(ordering: .acquiring) & 1 << UInt64($0 & 63) != 0 }
    }
}

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

extension StepRunner {
    /// Holds an exchange against the suite's contract: what is an error is the step's, a warning is told once.
    func contractFindings(_ content: ResponseContent, for step: SuiteStep) -> [Finding] {
        guard let contract = runner.contracts.contract(ofSuite: sequence.suiteIndex) else { return [] }
        let expected = step.expectations.extras?.contract
        let checker = ExpectationChecker()
        let verdict = checker.check(
            contract.checker { suite.baseURL }, settings: contract.settings, expected, content: content,
            scope: scope.view(.step), context: scope.context)
        guard let verdict else { return [] }
        contract.tally.record(verdict.outcome)
        for warning in verdict.warnings where runner.contracts.isNew(warning) {
            let place = warning.placeText.map { ", \($0)" } ?? ""
            let suggestion = warning.suggestion.map { "; \($0)" } ?? ""
            runner.dispatcher.warn(
                "contract \(warning.rule.rawValue): \(warning.sentence)\(suggestion)\(place)",
                suite: sequence.suiteIndex)
        }
        return verdict.findings
    }
}
