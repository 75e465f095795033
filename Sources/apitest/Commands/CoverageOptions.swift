import ArgumentParser

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
            throw ValidationError(
                "--coverage-threshold \(CoverageGate.text(coverageThreshold)): write a number from 0 to 100")
        }
    }

    /// What is asked of the coverage.
    var gate: CoverageGate { CoverageGate(threshold: coverageThreshold, showsAll: coverage) }
}
