import Basics
import Diagnostics
import RunModel
import SuiteModel

/// The options for the output and the required level of contract coverage.
struct CoverageOptions: OptionGroup {
    var coverage = false
    var coverageThreshold: Double?

    static var syntax: [Syntax] {
        [
            .flag(
                "coverage", \.coverage,
                "List uncovered parts of contracts, and undocumented exchanges"),
            .option(
                "coverage-threshold", value: "percent", \.coverageThreshold,
                "Fail if less than this percentage of a contract is covered"),
        ]
    }

    func validate() throws {
        guard let coverageThreshold else { return }
        guard (0...100).contains(coverageThreshold) else {
            throw UsageError(
                .invalidOption, "--coverage-threshold \(CoverageGate.text(coverageThreshold)): must be from 0 to 100")
        }
    }

    /// The requirements on the coverage.
    var gate: CoverageGate { CoverageGate(threshold: coverageThreshold, showsAll: coverage) }
}

/// The contract coverage that a run must reach.
struct CoverageGate {
    /// The minimum coverage in percent, or `nil` for no minimum.
    var threshold: Double?
    /// The option that sets the minimum.
    var option = "--coverage-threshold"
    /// Whether the console lists the parts that are not covered.
    var showsAll = false

    /// Checks that a suite has a contract.
    ///
    /// - Throws: ``ExitStatus/invalid`` if none does but the options require one. The error is printed.
    func check(_ suites: [Suite]) throws {
        guard showsAll || threshold != nil, suites.allSatisfy({ $0.contract == nil }) else { return }
        let option = showsAll ? "--coverage" : "\(option) \(Self.text(threshold ?? 0))"
        throw ExitStatus.invalid(
            .missingContract,
            because:
                "\(option): no suite has a contract; add \"contract: openapi.yaml\" to a suite, or pass --contract FILE"
        )
    }

    /// Returns a sink that adds notices about insufficient coverage before the end of the run, and marks the run as
    /// failed.
    func guarding(_ sink: @escaping @Sendable (RunEvent) -> Void) -> @Sendable (RunEvent) -> Void {
        guard threshold != nil else { return sink }
        return { event in
            guard case .runFinished(let summary) = event else { return sink(event) }
            for text in shortfalls(of: summary) {
                sink(.notice(RunNotice(.coverage, severity: .error, message: text)))
            }
            sink(.runFinished(judged(summary)))
        }
    }

    /// Returns the summary, marked as failed if the coverage is insufficient.
    func judged(_ summary: RunSummary) -> RunSummary {
        var summary = summary
        summary.hasLowCoverage = !shortfalls(of: summary).isEmpty
        return summary
    }

    /// Returns no shortfalls for an interrupted run, whose coverage is necessarily lower.
    private func shortfalls(of summary: RunSummary) -> [MessageText] {
        summary.wasInterrupted ? [] : shortfalls(summary.coverages)
    }

    /// Returns a message for each description with insufficient coverage.
    func shortfalls(_ coverages: [ContractCoverage]) -> [MessageText] {
        guard let threshold else { return [] }
        return coverages.compactMap { coverage in
            let share = coverage.total
            guard share.percent < threshold else { return nil }
            let missed = coverage.missed
            let names = missed.prefix(3).map { $0.name.isEmpty ? $0.operation : "\($0.operation) (\($0.name))" }
            let more = missed.count - names.count
            return "\(option) \(Self.text(threshold)): only \(share.percentText) of \(coverage.description) "
                + "is covered, \(share.covered) of \(share.total); not covered: \(names.joined(separator: ", "))"
                + "\(more > 0 ? " and \(more) more" : "")\(showsAll ? "" : "; --coverage lists all")"
        }
    }

    /// Returns a percentage as text.
    static func text(_ percent: Double) -> String {
        percent == percent.rounded() && abs(percent) < 1e9 ? String(Int(percent)) : String(percent)
    }
}
