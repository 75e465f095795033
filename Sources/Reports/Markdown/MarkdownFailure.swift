import Diagnostics
import Output
import RunModel
import RunRecord

/// A failed test in Markdown: a `details` element with its findings and exchanges.
struct MarkdownFailure {
    /// The test as a list item, for use if the element does not fit.
    let line: MarkdownFailureLine
    /// The `details` element.
    let text: String
    /// The number of earlier failures with the same cause.
    let rank: Int

    /// The width of a line in columns.
    private static let width = 110
    /// The maximum number of bytes of the findings, of an exchange, and of a command.
    private static let findingsLimit = 6_000
    private static let exchangeLimit = 3_000
    private static let commandLimit = 2_000

    /// Creates the element of a failed test.
    ///
    /// - Parameters:
    ///   - suiteName: The name of its suite.
    ///   - location: The path of the suite file within the project.
    init(_ result: TestResult, sizes: BodySizes, suiteName: String, location: String, rank: Int) {
        self.rank = rank
        line = MarkdownFailureLine(result, suiteName: suiteName, location: location)
        var text = "<details>\n<summary>\(line.mark) \(MarkdownText.htmlCode(line.title, limit: 200)) · "
        text += DurationText.text(result.duration)
        text += "<br>" + MarkdownText.htmlCode(line.message, limit: 300) + "</summary>\n\n"
        text += MarkdownText.code(line.location, limit: 400) + "\n\n"
        if let lines = result.test.annotations?.descriptionLines, !lines.isEmpty {
            text += lines.map { MarkdownText.code($0, limit: 1_000) }.joined(separator: "<br>\n") + "\n\n"
        }
        var hasStep = false
        for (index, step) in result.steps.enumerated() where step.outcome.isFailure || !step.findings.isEmpty {
            hasStep = true
            Self.write(step, of: result.test, sizes: sizes[index], into: &text)
        }
        if !hasStep { text += "The test did not pass.\n\n" }
        let attempts = AttemptLines.lines(of: result, width: Self.width)
        if !attempts.isEmpty {
            text += MarkdownText.block(attempts.joined(separator: "\n"), language: "text", limit: 2_000) + "\n"
        }
        self.text = text + "</details>\n\n"
    }

    private static func write(
        _ step: TestResult.Step, of test: TestReference, sizes: BodySizes.Pair, into output: inout String
    ) {
        if test.hasSteps, step.name != test.name { output += "Step \(MarkdownText.code(step.name)):\n\n" }
        let painter = Painter(color: false)
        var findings = ""
        FindingsLayout(painter: painter, width: width).write(step.findings, calls: step.calls, into: &findings)
        if !findings.isEmpty {
            output += MarkdownText.block(findings, language: "text", limit: findingsLimit) + "\n"
        }
        guard let exchange = step.exchange else { return }
        var text = ""
        ExchangeLayout(painter: painter, width: width).write(exchange, sizes: sizes, into: &text)
        output += MarkdownText.block(text, language: "text", limit: exchangeLimit) + "\n"
        guard let command = CurlCommand.text(for: exchange) else { return }
        // A truncated command is useless.
        if command.utf8.count <= commandLimit {
            output += MarkdownText.block(DisplayWidth.printable(command), language: "sh", limit: commandLimit) + "\n"
        } else {
            output += "The curl command (\(NumberText.size(command.utf8.count))) is omitted.\n\n"
        }
    }
}

/// A failed test in one line: its name, location, and first message.
struct MarkdownFailureLine {
    /// The maximum number of bytes of a message to keep.
    private static let maximumMessageLength = 1_000

    /// The symbol of a failure or an error.
    let mark: String
    /// The name of the test, preceded by the name of its suite.
    let title: String
    /// The file and line of the failure.
    let location: String
    /// The first message, and the number of further ones.
    let message: String

    /// Creates the line of a test.
    ///
    /// - Parameters:
    ///   - suiteName: The name of its suite.
    ///   - location: The path of the suite file within the project.
    init(_ result: TestResult, suiteName: String, location: String) {
        mark = result.outcome == .errored ? "💥" : "❌"
        title = "\(suiteName) › \(result.test.name)"
        let line = FailureLocation(of: result)?.line ?? Int(result.test.range.start.line)
        self.location = "\(location):\(line)"
        let message = FailureSummary(result.steps, hasSteps: result.test.hasSteps).message
        // A copy, because a slice would keep the whole string in memory.
        self.message = String(decoding: Array(message.utf8.prefix(Self.maximumMessageLength)), as: UTF8.self)
    }

    /// The line as a list item.
    var item: String {
        "- \(mark) \(MarkdownText.code(title, limit: 200)) \(MarkdownText.code(location, limit: 200)): "
            + "\(MarkdownText.code(message, limit: 200))\n"
    }
}
