import Basics
import Diagnostics
import Output
public import RunModel
import RunRecord

/// The summary of a test or attempt that did not pass.
struct FailureSummary {
    /// The width of text in columns.
    static let width = 120
    /// The maximum number of bytes of a name or message.
    static let maximumMessageLength = 4_096
    /// The maximum number of bytes of multiline text.
    static let maximumTextLength = 65_536

    /// The steps, in order.
    let steps: [TestResult.Step]
    /// The step that did not pass.
    ///
    /// This is the first step with an error. Without an error, it is the first failed step, and otherwise the first one
    /// with a known failure.
    let step: TestResult.Step?
    /// The most relevant finding.
    ///
    /// An error precedes failures because it explains why the rest could not be checked.
    let finding: Finding?
    /// The number of findings.
    let count: Int
    private let hasSteps: Bool

    /// Creates the summary of a test or of one of its attempts.
    init(_ steps: [TestResult.Step], hasSteps: Bool) {
        self.steps = steps
        self.hasSteps = hasSteps
        let failed = steps.filter { $0.outcome.isFailure }
        step = failed.first { $0.outcome == .errored } ?? failed.first ?? steps.first { $0.outcome.isKnown }
        let first = step?.findings ?? steps.first { !$0.findings.isEmpty }?.findings ?? []
        finding = first.mostTelling
        count = steps.reduce(0) { $0 + $1.findings.count }
    }

    /// One sentence with the subject, the problem, and the number of further findings.
    var message: String {
        var message = finding.map { "\($0.subject): \($0.message)" } ?? "the test did not pass"
        if hasSteps, let step { message = step.name + StepSeparator.text + message }
        if count > 1 { message += " (and \(count - 1) more)" }
        return message
    }

    /// Returns one sentence about an attempt of a step.
    static func message(of attempt: TestResult.StepAttempt) -> String {
        let finding = attempt.findings.mostTelling
        var message = finding.map { "\($0.subject): \($0.message)" } ?? "the attempt did not pass"
        if attempt.findings.count > 1 { message += " (and \(attempt.findings.count - 1) more)" }
        return message
    }

    /// Returns the findings, exchanges, and curl commands of the steps that did not pass, as on the console.
    ///
    /// - Parameters:
    ///   - sizes: The original sizes of bodies that masking changed.
    ///   - variables: The final values of variables, shown with the last failed step.
    func text(sizes: BodySizes, variables: [UsedVariable] = []) -> String {
        var text = ""
        let last = steps.lastIndex { $0.outcome.isFailure }
        for (index, step) in steps.enumerated() where step.outcome.isFailure || !step.findings.isEmpty {
            if hasSteps { text += DisplayWidth.printable(step.name) + "\n" }
            Self.write(
                step.findings, calls: step.calls, step.exchange, sizes: sizes[index],
                variables: index == last ? variables : [], into: &text)
            if text.utf8.count > Self.maximumTextLength { break }
        }
        return text
    }

    /// Returns the findings, the exchange, and the curl command of an attempt of a step.
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
    /// The most relevant finding: the first error, which explains why the rest could not be checked, or the first
    /// failure.
    var mostTelling: Finding? { first { $0.kind == .error } ?? first }
}

/// Plain-text descriptions of failures, for use outside reports.
public enum FailureText {
    /// The width of text in columns.
    private static let width = 120

    /// Returns a finding in words with its details below.
    ///
    /// The location and the source line are left to the caller.
    public static func text(of finding: Finding) -> String {
        ([
            DisplayWidth.printable(finding.subject.description) + ": "
                + TextFitting.lines(finding.message).joined(separator: "\n  ")
        ]
            + finding.details.flatMap { TextFitting.lines($0.text) }.map { "  " + $0 }).joined(separator: "\n")
    }

    /// Returns an exchange as text: the request, the response, and the equivalent curl command.
    public static func text(of exchange: Exchange) -> String {
        var text = ""
        ExchangeLayout(painter: Painter(color: false), width: width).write(
            exchange, sizes: BodySizes.Pair(), into: &text)
        if let command = CurlCommand.text(for: exchange) { text += "  " + command + "\n" }
        return text.last == "\n" ? String(text.dropLast()) : text
    }
}

extension TestResult.Outcome {
    /// The text for a failure that the suite expects; nil for any other outcome.
    var expectedFailureText: String? {
        guard case .known(let reason) = self, !reason.isEmpty else { return nil }
        return "expected to fail: \(reason)"
    }
}

/// The names of outcomes in machine-readable reports.
enum OutcomeWord {
    /// Returns the name of an outcome.
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
