import SuiteModel

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
