import SuiteModel

/// What fails a run beside its tests, or keeps it from being whole.
///
/// Reports whose readers only count tests have it as a test of its own.
struct RunTrouble {
    /// What kind of trouble there can be.
    enum Kind: CaseIterable {
        /// Something that belongs to a suite went wrong, such as a server that ended by itself.
        case suite
        /// A server failed, of which no more is known.
        case server
        /// The file of a snapshot could not be written or removed.
        case snapshot
        /// Less of a contract was covered than was asked for.
        case coverage
        /// Tests did not run, or records of them are missing.
        case incomplete
    }

    let kind: Kind
    /// The suite that it belongs to; nil for the whole run.
    var suite: Int?
    /// What is wrong, as one sentence.
    var message: String
    /// Further lines.
    var details: [String] = []

    /// The name of the test that stands for it.
    var name: String { Self.name(of: kind) }

    private static func name(of kind: Kind) -> String {
        switch kind {
        case .suite: "suite error"
        case .server: "a server failed"
        case .snapshot: "a snapshot was not written"
        case .coverage: "too little is covered"
        case .incomplete: "incomplete"
        }
    }

    /// A stable word for it.
    var type: String { Self.type(of: kind) }

    private static func type(of kind: Kind) -> String {
        switch kind {
        case .suite: "suite"
        case .server: "serve"
        case .snapshot: "snapshot"
        case .coverage: "coverage"
        case .incomplete: "incomplete"
        }
    }

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

    /// Whether a test case of a report stands for a trouble, by its name and the type of its error or failure.
    static func isOne(name: String, type: String?) -> Bool {
        guard let type else { return false }
        return Kind.allCases.contains { self.name(of: $0) == name && self.type(of: $0) == type }
    }

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
        self.message = message ?? Self.name(of: kind)
        self.details = details
    }

    private init(_ kind: Kind, of suite: Int?, _ errors: [RunNotice]) {
        self.kind = kind
        self.suite = suite
        message = errors.first?.message ?? Self.name(of: kind)
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
