import Diagnostics
import Output
public import RunModel
import RunRecord

/// What a report tells first of a test or an attempt that did not pass.
struct FailureSummary {
    /// The columns of the lines of text.
    static let width = 120
    /// The most bytes of a name or message.
    static let longestMessage = 4_096
    /// The most bytes of a text of several lines.
    static let longestText = 65_536

    /// The steps, in order.
    let steps: [TestResult.Step]
    /// The step that did not pass: the first one with an error, else the first with a failure, else the first that fails
    /// as is known.
    let step: TestResult.Step?
    /// What is said first; an error comes before failures, for it says why the rest could not be checked.
    let finding: Finding?
    /// How many findings there are.
    let count: Int
    private let hasSteps: Bool

    /// Looks at the steps of a test or of one of its attempts.
    init(_ steps: [TestResult.Step], hasSteps: Bool) {
        self.steps = steps
        self.hasSteps = hasSteps
        let failed = steps.filter { $0.outcome.isFailure }
        step = failed.first { $0.outcome == .errored } ?? failed.first ?? steps.first { $0.outcome == .known }
        let first = step?.findings ?? steps.first { !$0.findings.isEmpty }?.findings ?? []
        finding = first.mostTelling
        count = steps.reduce(0) { $0 + $1.findings.count }
    }

    /// One sentence: what was looked at, what is wrong, and how much else is.
    var message: String {
        var message = finding.map { "\($0.subject): \($0.message)" } ?? "the test did not pass"
        if hasSteps, let step { message = step.name + StepSeparator.text + message }
        if count > 1 { message += " (and \(count - 1) more)" }
        return message
    }

    /// One sentence for an attempt of a step.
    static func message(of attempt: TestResult.StepAttempt) -> String {
        let finding = attempt.findings.mostTelling
        var message = finding.map { "\($0.subject): \($0.message)" } ?? "the attempt did not pass"
        if attempt.findings.count > 1 { message += " (and \(attempt.findings.count - 1) more)" }
        return message
    }

    /// Every finding, exchange and curl command of the steps that did not pass, as on the console.
    ///
    /// - Parameters:
    ///   - sizes: The sizes of the exchanges' bodies before they were masked.
    ///   - variables: What names stood for at the end, told where the test ended.
    func text(sizes: BodySizes, variables: [UsedVariable] = []) -> String {
        var text = ""
        let last = steps.lastIndex { $0.outcome.isFailure }
        for (index, step) in steps.enumerated() where step.outcome.isFailure || !step.findings.isEmpty {
            if hasSteps { text += DisplayWidth.printable(step.name) + "\n" }
            Self.write(
                step.findings, calls: step.calls, step.exchange, sizes: sizes[index],
                variables: index == last ? variables : [], into: &text)
            if text.utf8.count > Self.longestText { break }
        }
        return text
    }

    /// The findings, the exchange and the curl command of an attempt of a step.
    static func text(of attempt: TestResult.StepAttempt) -> String {
        var text = ""
        write(attempt.findings, attempt.exchange, into: &text)
        return text
    }

    private static func write(
        _ findings: [Finding], calls: [SourceRange] = [], _ exchange: Exchange?,
        sizes: BodySizes.Pair = BodySizes.Pair(), variables: [UsedVariable] = [], into text: inout String
    ) {
        let painter = Painter(color: false)
        FindingsLayout(painter: painter, width: width).write(findings, calls: calls, into: &text)
        VariablesLayout(painter: painter, width: width).write(variables, beside: findings, into: &text)
        guard let exchange else { return }
        ExchangeLayout(painter: painter, width: width).write(exchange, sizes: sizes, into: &text)
        if let command = CurlCommand.text(for: exchange) { text += "  " + command + "\n" }
    }
}

extension [Finding] {
    /// The finding that says most: an error, which explains why the rest could not be checked, before failures.
    var mostTelling: Finding? { first { $0.kind == .error } ?? first }
}

/// What went wrong in a step as plain text, for those who show it elsewhere than in a report.
public enum FailureText {
    /// The columns of a line.
    private static let width = 120

    /// A finding in words, with its details below; its place and its line of the suite are left to the caller.
    public static func text(of finding: Finding) -> String {
        ([
            DisplayWidth.printable(finding.subject.description) + ": "
                + TextFitting.lines(finding.message).joined(separator: "\n  ")
        ]
            + finding.details.flatMap(TextFitting.lines).map { "  " + $0 }).joined(separator: "\n")
    }

    /// An exchange: the request, the response, and the command that repeats it.
    public static func text(of exchange: Exchange) -> String {
        var text = ""
        ExchangeLayout(painter: Painter(color: false), width: width).write(
            exchange, sizes: BodySizes.Pair(), into: &text)
        if let command = CurlCommand.text(for: exchange) { text += "  " + command + "\n" }
        return text.last == "\n" ? String(text.dropLast()) : text
    }
}

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
