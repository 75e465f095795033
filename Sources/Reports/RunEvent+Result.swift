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
        case .testCompleted(let result): Self.brief(result).map { .testCompleted($0) }
        case .testFinished(let result): Self.brief(result).map { .testFinished($0) }
        case .runStarted, .suiteStarted, .testStarted, .secretLearned, .notice, .suiteFinished, .interrupted,
            .runFinished:
            nil
        }
    }

    private static func brief(_ result: TestResult) -> TestResult? {
        guard result.steps.contains(where: { $0.exchange != nil && $0.findings.isEmpty }) else { return nil }
        var result = result
        for index in result.steps.indices where result.steps[index].findings.isEmpty {
            result.steps[index].exchange = nil
        }
        return result
    }
}
