import Output
import RunModel
import RunRecord

/// What fails a run beside its tests, or keeps it from being whole.
///
/// Reports whose readers only count tests have it as a test of its own.
struct RunTrouble {
    typealias Kind = TroubleKind

    let kind: Kind
    /// The suite that it belongs to; nil for the whole run.
    var suite: Int?
    /// What is wrong, as one sentence.
    var message: String
    /// Further lines.
    var details: [String] = []

    /// The name of the test that stands for it.
    var name: String { kind.name }

    /// The name with what it belongs to, for reports that have no test for it.
    var title: String { Self.suiteName + StepSeparator.text + name }

    /// A stable word for it.
    var type: String { kind.type }

    /// What the test counts as that stands for it.
    var outcome: TestResult.Outcome {
        switch kind {
        case .suite, .server, .snapshot, .incomplete: .errored
        case .coverage: .failed
        }
    }

    /// The suite, and the class, of the tests that stand for troubles of the whole run.
    static let suiteName = "apitest run"
    static let className = "apitest.run"

    /// The message and the details, in lines.
    var lines: [String] { [message] + details }

    /// All troubles of a run.
    ///
    /// - Parameters:
    ///   - summary: How the run ended; nil for one that has not.
    ///   - notices: What happened beside the tests.
    static func all(_ summary: RunSummary?, notices: [RunNotice]) -> [RunTrouble] {
        let errors = notices.filter { $0.severity == .error }
        var troubles: [RunTrouble] = []
        var seen: Set<Int> = []
        for suite in errors.compactMap(\.suite) where seen.insert(suite).inserted {
            troubles.append(RunTrouble(.suite, of: suite, errors.filter { $0.suite == suite }))
        }
        let others = errors.filter { $0.suite == nil }
        for kind in summary?.failures(hasSuiteErrors: !troubles.isEmpty) ?? [] {
            troubles.append(RunTrouble(kind, of: nil, others))
        }
        if let summary {
            guard summary.missing != nil || summary.wasInterrupted else { return troubles }
            let warnings = notices.filter { $0.severity == .warning && $0.suite == nil }
            troubles.append(
                RunTrouble(
                    kind: .incomplete, message: summary.missing?.message ?? "interrupted",
                    details: warnings.flatMap { [$0.message] + $0.details.map { "  " + $0 } }))
        } else {
            troubles.append(RunTrouble(kind: .incomplete, message: "the run did not end"))
        }
        return troubles
    }

    /// Creates a trouble; without a message its name says what is wrong.
    init(kind: Kind, message: String? = nil, details: [String] = []) {
        self.kind = kind
        self.message = message ?? kind.name
        self.details = details
    }

    private init(_ kind: Kind, of suite: Int?, _ errors: [RunNotice]) {
        self.kind = kind
        self.suite = suite
        message = errors.first?.message ?? kind.name
        details = errors.first?.details.map { "  " + $0 } ?? []
        for error in errors.dropFirst() { details += [error.message] + error.details.map { "  " + $0 } }
    }
}

extension RunSummary {
    /// What failed the run when no test did; empty when a test did not pass.
    ///
    /// - Parameter hasSuiteErrors: Whether it is known of suites what went wrong with their servers or snapshots.
    func failures(hasSuiteErrors: Bool = false) -> [RunTrouble.Kind] {
        guard counts.failed + counts.errored + counts.blocked == 0 else { return [] }
        var kinds: [RunTrouble.Kind] = []
        if hasServerError, !hasSuiteErrors { kinds.append(.server) }
        if hasSnapshotError, !hasSuiteErrors { kinds.append(.snapshot) }
        if hasLowCoverage { kinds.append(.coverage) }
        return kinds
    }

    /// What failed the run when no test did, and why it is not whole, each in a few words.
    var troubles: [String] {
        let failures = failures().map { RunTrouble(kind: $0).name }
        return failures + (missing != nil && !wasInterrupted ? [RunTrouble(kind: .incomplete).name] : [])
    }

    /// Tests that were run and those that were to be, such as `21 of 43 tests`; of a run that is whole `43 tests`.
    var testCountText: String {
        guard let missing, missing.notRun > 0 else { return NumberText.count(counts.total, "test") }
        return "\(missing.done) of \(NumberText.count(missing.planned, "test"))"
    }
}
