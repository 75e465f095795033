import RunModel
import SuiteModel

/// The options that say what is told of the coverage of contracts, and how much of it is enough.
struct CoverageOptions: OptionGroup {
    var coverage = false
    var coverageThreshold: Double?

    static var syntax: [Syntax] {
        [
            .flag(
                "coverage", \.coverage,
                "Show what of the suites' contracts no exchange covers, and what is not documented."),
            .option(
                "coverage-threshold", value: "percent", \.coverageThreshold,
                "Let the run fail when less of a contract is covered than this, in per cent."),
        ]
    }

    func validate() throws {
        guard let coverageThreshold else { return }
        guard (0...100).contains(coverageThreshold) else {
            throw UsageError(
                "--coverage-threshold \(CoverageGate.text(coverageThreshold)): write a number from 0 to 100")
        }
    }

    /// What is asked of the coverage.
    var gate: CoverageGate { CoverageGate(threshold: coverageThreshold, showsAll: coverage) }
}

/// How much of the suites' contracts a run must cover.
struct CoverageGate {
    /// The least that is enough, in per cent; nil for any.
    var threshold: Double?
    /// The option that asks for it.
    var option = "--coverage-threshold"
    /// Whether the console lists what is not covered.
    var showsAll = false

    /// Checks that there is a contract whose coverage can be told.
    ///
    /// - Throws: ``ExitStatus/invalid`` when there is none, which is printed.
    func check(_ suites: [Suite]) throws {
        guard showsAll || threshold != nil, suites.allSatisfy({ $0.contract == nil }) else { return }
        let option = showsAll ? "--coverage" : "\(option) \(Self.text(threshold ?? 0))"
        throw ExitStatus.invalid(
            because: "\(option): no suite has a contract; add \"contract: openapi.yaml\" to one, or --contract FILE")
    }

    /// Tells reports of too little coverage before the run's end, of which they then know that it failed for that.
    func guarding(_ sink: @escaping @Sendable (RunEvent) -> Void) -> @Sendable (RunEvent) -> Void {
        guard threshold != nil else { return sink }
        return { event in
            guard case .runFinished(let summary) = event else { return sink(event) }
            for text in shortfalls(of: summary) { sink(.notice(RunNotice(severity: .error, message: text))) }
            sink(.runFinished(judged(summary)))
        }
    }

    /// How a run ended, with whether too little was covered.
    func judged(_ summary: RunSummary) -> RunSummary {
        var summary = summary
        summary.hasLowCoverage = !shortfalls(of: summary).isEmpty
        return summary
    }

    /// None of a run that was interrupted: it covers less for that alone.
    private func shortfalls(of summary: RunSummary) -> [String] {
        summary.wasInterrupted ? [] : shortfalls(summary.coverages)
    }

    /// What to say of each description of which too little is covered.
    func shortfalls(_ coverages: [ContractCoverage]) -> [String] {
        guard let threshold else { return [] }
        return coverages.compactMap { coverage in
            let share = coverage.total
            guard share.percent < threshold else { return nil }
            let missed = coverage.missed
            let names = missed.prefix(3).map { $0.name.isEmpty ? $0.operation : "\($0.operation) (\($0.name))" }
            let more = missed.count - names.count
            return "\(option) \(Self.text(threshold)): \(share.percentText) of \(coverage.description) "
                + "is covered, \(share.covered) of \(share.total); not covered: \(names.joined(separator: ", "))"
                + (more > 0 ? " and \(more) more" : "") + (showsAll ? "" : "; --coverage shows all")
        }
    }

    /// A percentage as it is written.
    static func text(_ percent: Double) -> String {
        percent == percent.rounded() && abs(percent) < 1e9 ? String(Int(percent)) : String(percent)
    }
}
