import SuiteModel

/// How CTRF says that a test ended.
enum CTRFStatus: String {
    case passed, failed, skipped, other

    /// The word that stands for it.
    var word: StaticString {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        case .other: "other"
        }
    }

    init(_ outcome: TestResult.Outcome) {
        switch outcome {
        case .passed, .flaky: self = .passed
        // An error leads to the same exit code as a failure; `rawStatus` tells them apart.
        case .failed, .errored: self = .failed
        case .skipped: self = .skipped
        // It was to run and could not: neither skipped on purpose nor waiting for anything.
        case .blocked: self = .other
        // It did not pass, and does not count as a failure.
        case .known: self = .other
        }
    }
}
