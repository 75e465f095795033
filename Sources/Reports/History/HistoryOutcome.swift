import SuiteModel

/// An outcome in a file of the history, a letter each.
enum HistoryOutcome: UInt8 {
    /// `p`
    case passed = 0x70
    /// `y`
    case flaky = 0x79
    /// `f`
    case failed = 0x66
    /// `e`
    case errored = 0x65
    /// `s`
    case skipped = 0x73
    /// `b`
    case blocked = 0x62

    /// The letter for an outcome.
    init(_ outcome: TestResult.Outcome) {
        switch outcome {
        // What is known to fail is no news.
        case .passed, .known: self = .passed
        case .flaky: self = .flaky
        case .failed: self = .failed
        case .errored: self = .errored
        case .skipped: self = .skipped
        case .blocked: self = .blocked
        }
    }
}
