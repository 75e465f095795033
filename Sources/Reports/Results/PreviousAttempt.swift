import Diagnostics
import Output
import RunModel
import RunRecord

/// An attempt before the final one, either of a whole test or of one of its steps.
enum PreviousAttempt {
    case test(TestResult.Attempt)
    case step(TestResult.StepAttempt, of: TestResult.Step)

    /// Returns all earlier attempts of a test, those of the whole test first.
    ///
    /// Polls do not count as attempts.
    static func all(of result: TestResult) -> [PreviousAttempt] {
        var attempts = result.previousAttempts.map { PreviousAttempt.test($0) }
        // Iterate by index: copying each step would retain its contents, and most steps have no attempts.
        let steps = result.steps
        for index in steps.indices where steps[index].polls == 0 && !steps[index].previousAttempts.isEmpty {
            attempts += steps[index].previousAttempts.map { .step($0, of: steps[index]) }
        }
        return attempts
    }

    /// The outcome of the attempt: failed or errored.
    var outcome: TestResult.Outcome {
        switch self {
        case .test(let attempt): attempt.outcome
        case .step(let attempt, _): attempt.outcome
        }
    }

    /// The duration of the attempt in nanoseconds.
    var duration: Int64 {
        switch self {
        case .test(let attempt): attempt.duration
        case .step(let attempt, _): attempt.duration
        }
    }

    /// Returns the summary of the attempt.
    ///
    /// - Parameter hasSteps: Whether the test was written with `steps`, in which case the summary names the step.
    func summary(hasSteps: Bool) -> FailureSummary {
        switch self {
        case .test(let attempt): return FailureSummary(attempt.steps, hasSteps: hasSteps)
        case .step(let attempt, let step):
            var previous = step
            previous.outcome = attempt.outcome
            previous.findings = attempt.findings
            previous.exchange = attempt.exchange
            previous.previousAttempts = []
            return FailureSummary([previous], hasSteps: hasSteps)
        }
    }

    /// Returns the problem as one sentence.
    ///
    /// - Parameter hasSteps: Whether the test was written with `steps`, in which case the sentence names the step.
    func message(hasSteps: Bool) -> String {
        switch self {
        case .test(let attempt): FailureSummary(attempt.steps, hasSteps: hasSteps).message
        case .step(let attempt, let step):
            (hasSteps ? step.name + StepSeparator.text : "") + FailureSummary.message(of: attempt)
        }
    }

    /// Returns the findings, exchanges, and curl commands of the attempt.
    func text(hasSteps: Bool) -> String {
        switch self {
        case .test(let attempt): FailureSummary(attempt.steps, hasSteps: hasSteps).text(sizes: BodySizes())
        case .step(let attempt, _): FailureSummary.text(of: attempt)
        }
    }
}

/// The earlier attempts of a test, one per line.
enum AttemptLines {
    /// The maximum number of attempts to list.
    private static let maximum = 10

    /// Returns the lines, such as `  attempt 1  status: expected 200, got 503`.
    static func lines(of result: TestResult, width: Int) -> [String] {
        var lines: [String] = []
        for (index, attempt) in result.previousAttempts.enumerated() {
            for step in attempt.steps { add(step, of: result.test, to: &lines) }
            guard let step = attempt.steps.first(where: \.outcome.isFailure) else { continue }
            lines.append(line(index + 1, step.findings, step.exchange, name: name(of: step, in: result.test)))
        }
        for step in result.steps { add(step, of: result.test, to: &lines) }
        var shown = lines.prefix(maximum).map { TextFitting.cut(DisplayWidth.printable($0), to: width) }
        if lines.count > maximum { shown.append("  … \(NumberText.count(lines.count - maximum, "more attempt"))") }
        return shown
    }

    private static func add(_ step: TestResult.Step, of test: TestReference, to lines: inout [String]) {
        let name = name(of: step, in: test)
        // Only the last polls before the final one are kept.
        let before = step.polls == 0 ? 0 : max(0, step.polls - 1 - step.previousAttempts.count)
        let word = step.polls == 0 ? "attempt" : "poll"
        if before > 0, !step.previousAttempts.isEmpty {
            lines.append("  … \(NumberText.count(before, "earlier poll"))\(name)")
        }
        for (index, attempt) in step.previousAttempts.enumerated() {
            lines.append(line(before + index + 1, attempt.findings, attempt.exchange, name: name, word: word))
        }
    }

    private static func name(of step: TestResult.Step, in test: TestReference) -> String {
        test.hasSteps && step.name != test.name ? " of \(step.name)" : ""
    }

    private static func line(
        _ number: Int, _ findings: [Finding], _ exchange: Exchange?, name: String, word: String = "attempt"
    ) -> String {
        let first = findings.mostTelling
        var text = "  \(word) \(number)\(name)  " + (first.map { "\($0.subject): \($0.message)" } ?? "did not pass")
        // An unexpected body is often that of an error response.
        if let status = exchange?.response?.status, status >= 400, first?.subject != .status {
            text += ", with status \(status)"
        }
        if findings.count > 1 { text += " (and \(findings.count - 1) more)" }
        return text.split(separator: "\n", omittingEmptySubsequences: true).joined(separator: " ")
    }
}
