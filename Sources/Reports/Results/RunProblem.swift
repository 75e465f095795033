import Basics
import Output
import RunModel
import RunRecord

/// A failure of a run outside its tests, or the reason why the run is incomplete.
///
/// Reports whose readers only count tests represent it as a separate test.
struct RunProblem {
    typealias Kind = ProblemKind

    let kind: Kind
    /// The suite that the failure belongs to, or `nil` for the whole run.
    var suite: Int?
    /// A one-sentence description of the failure.
    var message: String
    /// Further lines of the description.
    var details: [String] = []
    /// The id of the failure for `apitest explain`.
    var id: String

    /// The name of the test that represents the failure.
    var name: String { kind.name }

    /// The name prefixed with its suite, for reports without a test for it.
    var title: String { Self.suiteName + StepSeparator.text + name }

    /// A stable identifier of the kind of failure.
    var type: String { kind.type }

    /// The outcome of the test that represents the failure.
    var outcome: TestResult.Outcome {
        switch kind {
        case .suite, .server, .snapshot, .incomplete: .errored
        case .coverage: .failed
        }
    }

    /// The suite and class names of the tests that represent failures of the whole run.
    static let suiteName = "apitest run"
    static let className = "apitest.run"

    /// The message and the details as lines.
    var lines: [String] { [message] + details }

    /// Returns all failures of a run outside its tests.
    ///
    /// - Parameters:
    ///   - summary: The summary of the run, or `nil` if the run did not finish.
    ///   - notices: The notices of the run.
    static func all(_ summary: RunSummary?, notices: [RunNotice]) -> [RunProblem] {
        let errors = notices.filter { $0.severity == .error }
        var problems: [RunProblem] = []
        var seen: Set<Int> = []
        for suite in errors.compactMap(\.suite) where seen.insert(suite).inserted {
            problems.append(RunProblem(.suite, of: suite, errors.filter { $0.suite == suite }))
        }
        let others = errors.filter { $0.suite == nil }
        for kind in summary?.failures(hasSuiteErrors: !problems.isEmpty) ?? [] {
            problems.append(RunProblem(kind, of: nil, others))
        }
        if let summary {
            guard summary.missing != nil || summary.wasInterrupted else { return problems }
            let warnings = notices.filter { $0.severity == .warning && $0.suite == nil }
            problems.append(
                RunProblem(
                    kind: .incomplete, message: summary.missing?.message ?? "interrupted",
                    details: warnings.flatMap { [$0.messageWithID] + $0.details.map { "  " + $0.text } }))
        } else {
            problems.append(RunProblem(kind: .incomplete, message: "the run did not finish"))
        }
        return problems
    }

    /// Creates a failure.
    ///
    /// Without a message, its name is the message.
    init(kind: Kind, message: String? = nil, details: [String] = []) {
        self.kind = kind
        self.message = message ?? kind.name
        self.details = details
        id = kind.type
    }

    private init(_ kind: Kind, of suite: Int?, _ errors: [RunNotice]) {
        self.kind = kind
        self.suite = suite
        message = errors.first?.messageWithID ?? kind.name
        id = errors.first?.id ?? kind.type
        details = errors.first?.details.map { "  " + $0.text } ?? []
        for error in errors.dropFirst() { details += [error.messageWithID] + error.details.map { "  " + $0.text } }
    }
}

extension RunSummary {
    /// Returns the failures of a run in which no test failed, or none if a test did not pass.
    ///
    /// - Parameter hasSuiteErrors: Whether notices already describe the server and snapshot errors of suites.
    func failures(hasSuiteErrors: Bool = false) -> [RunProblem.Kind] {
        guard counts.failed + counts.errored + counts.blocked == 0 else { return [] }
        var kinds: [RunProblem.Kind] = []
        if hasServerError, !hasSuiteErrors { kinds.append(.server) }
        if hasSnapshotError, !hasSuiteErrors { kinds.append(.snapshot) }
        if hasLowCoverage { kinds.append(.coverage) }
        return kinds
    }

    /// Short descriptions of the failures outside the tests, and of the reason why the run is incomplete.
    var problems: [String] {
        let failures = failures().map { RunProblem(kind: $0).name }
        return failures + (missing != nil && !wasInterrupted ? [RunProblem(kind: .incomplete).name] : [])
    }

    /// The number of tests that ran and were selected, such as `21 of 43 tests`, or `43 tests` for a complete run.
    var testCountText: String {
        guard let missing, missing.notRun > 0 else { return NumberText.count(counts.total, "test") }
        return "\(missing.done) of \(NumberText.count(missing.planned, "test"))"
    }
}
