import SuiteModel

/// How Allure says that a test or step ended.
enum AllureStatus: String {
    case passed, failed, broken, skipped

    init(_ outcome: TestResult.Outcome) {
        switch outcome {
        case .passed, .flaky, .known: self = .passed
        case .failed: self = .failed
        case .errored: self = .broken
        case .skipped, .blocked: self = .skipped
        }
    }
}
