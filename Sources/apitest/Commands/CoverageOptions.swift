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
