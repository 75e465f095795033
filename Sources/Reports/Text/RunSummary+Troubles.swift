import SuiteModel

extension RunSummary {
    /// What failed the run when no test did; empty when a test did not pass.
    var runTroubles: [RunTrouble] {
        guard counts.failed + counts.errored + counts.blocked == 0 else { return [] }
        return (hasServerError ? [.server] : []) + (hasLowCoverage ? [.coverage] : [])
    }

    /// What failed the run when no test did, each in a few words; empty when a test did not pass.
    var troubles: [String] { runTroubles.map(\.text) }
}
