import SuiteModel

extension RunEvent {
    /// The result that a test's end carries.
    var result: TestResult? {
        switch self {
        case .testCompleted(let result), .testFinished(let result): result
        case .runStarted, .suiteStarted, .testStarted, .secretLearned, .notice, .suiteFinished, .interrupted,
            .runFinished:
            nil
        }
    }

    /// The event as it is when no reporter needs the exchanges of steps that passed; nil when it has none.
    var withoutExchangesOfPassedSteps: RunEvent? {
        switch self {
        case .testCompleted(let result): result.hasExchangesOfPassedSteps ? .testCompleted(result.brief) : nil
        case .testFinished(let result): result.hasExchangesOfPassedSteps ? .testFinished(result.brief) : nil
        case .runStarted, .suiteStarted, .testStarted, .secretLearned, .notice, .suiteFinished, .interrupted,
            .runFinished:
            nil
        }
    }
}
