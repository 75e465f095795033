import ArgumentParser
import OpenAPI
import SuiteModel

/// The options that say what is told of the coverage of contracts, and how much of it is enough.
struct CoverageOptions: ParsableArguments {
    @Flag(name: .long, help: "Show what of the suites' contracts no exchange covers, and what is not documented.")
    var coverage = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Let the run fail when less of a contract is covered than this, in per cent.", valueName: "percent"))
    var coverageThreshold: Double?

    func validate() throws {
        guard let coverageThreshold else { return }
        guard (0...100).contains(coverageThreshold) else {
            throw ValidationError("--coverage-threshold \(text(coverageThreshold)): write a number from 0 to 100")
        }
    }

    /// Checks that there is a contract whose coverage can be told.
    ///
    /// - Throws: ``ExitStatus/invalid`` when there is none, which is printed.
    func check(_ suites: [Suite]) throws {
        guard coverage || coverageThreshold != nil, suites.allSatisfy({ $0.contract == nil }) else { return }
        let option = coverage ? "--coverage" : "--coverage-threshold \(text(coverageThreshold ?? 0))"
        throw ExitStatus.invalid(
            because: "\(option): no suite has a contract; add \"contract: openapi.yaml\" to one, or --contract FILE")
    }

    /// What to say of each description of which too little is covered.
    func shortfalls(_ coverages: [ContractCoverage]) -> [String] {
        guard let threshold = coverageThreshold else { return [] }
        return coverages.compactMap { coverage in
            let share = coverage.total
            guard share.percent < threshold else { return nil }
            let missed = coverage.missed
            let names = missed.prefix(3).map { $0.name.isEmpty ? $0.operation : "\($0.operation) (\($0.name))" }
            let more = missed.count - names.count
            return "--coverage-threshold \(text(threshold)): \(share.percentText) of \(coverage.description) "
                + "is covered, \(share.covered) of \(share.total); not covered: \(names.joined(separator: ", "))"
                + (more > 0 ? " and \(more) more" : "") + (self.coverage ? "" : "; --coverage shows all")
        }
    }

    private func text(_ percent: Double) -> String {
        percent == percent.rounded() && abs(percent) < 1e9 ? String(Int(percent)) : String(percent)
    }
}
