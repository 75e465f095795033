import SuiteModel

/// The word for an outcome in reports that programs read.
enum OutcomeWord {
    /// The word.
    static func text(_ outcome: TestResult.Outcome) -> String {
        switch outcome {
        case .passed: "passed"
        case .flaky: "flaky"
        case .known: "known"
        case .failed: "failed"
        case .errored: "errored"
        case .skipped: "skipped"
        case .blocked: "blocked"
        }
    }
}
