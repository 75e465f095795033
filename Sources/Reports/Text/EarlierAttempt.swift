import SuiteModel

/// An attempt of a test before the one that counts: one of the whole test, or one of a step in it.
enum EarlierAttempt {
    case test(TestResult.Attempt)
    case step(TestResult.StepAttempt, of: TestResult.Step)

    /// All attempts of a test, those of the whole test first; polls are none.
    static func all(of result: TestResult) -> [EarlierAttempt] {
        var attempts = result.earlierAttempts.map { EarlierAttempt.test($0) }
        for step in result.steps where step.polls == 0 {
            attempts += step.earlierAttempts.map { .step($0, of: step) }
        }
        return attempts
    }

    /// Failed or errored.
    var outcome: TestResult.Outcome {
        switch self {
        case .test(let attempt): attempt.outcome
        case .step(let attempt, _): attempt.outcome
        }
    }

    /// Nanoseconds from the attempt's start to its end.
    var duration: Int64 {
        switch self {
        case .test(let attempt): attempt.duration
        case .step(let attempt, _): attempt.duration
        }
    }

    /// What is told first of the attempt.
    ///
    /// - Parameter hasSteps: Whether the test was written with steps, so that the step is named.
    func summary(hasSteps: Bool) -> FailureSummary {
        switch self {
        case .test(let attempt): return FailureSummary(attempt.steps, hasSteps: hasSteps)
        case .step(let attempt, let step):
            var earlier = step
            earlier.outcome = attempt.outcome
            earlier.findings = attempt.findings
            earlier.exchange = attempt.exchange
            earlier.earlierAttempts = []
            return FailureSummary([earlier], hasSteps: hasSteps)
        }
    }

    /// What was wrong, as one sentence.
    ///
    /// - Parameter hasSteps: Whether the test was written with steps, so that the step is named.
    func message(hasSteps: Bool) -> String {
        switch self {
        case .test(let attempt): FailureSummary(attempt.steps, hasSteps: hasSteps).message
        case .step(let attempt, let step):
            (hasSteps ? step.name + StepSeparator.text : "") + FailureSummary.message(of: attempt)
        }
    }

    /// Every finding, exchange and curl command of the attempt.
    func text(hasSteps: Bool) -> String {
        switch self {
        case .test(let attempt): FailureSummary(attempt.steps, hasSteps: hasSteps).text(sizes: BodySizes())
        case .step(let attempt, _): FailureSummary.text(of: attempt)
        }
    }
}
