import Diagnostics
import SuiteModel

/// A failed test in one line: its name, where it failed, and the first message.
struct MarkdownFailureLine {
    /// Bytes of a message that are kept.
    private static let longestMessage = 1_000

    /// The sign of a failure or an error.
    let mark: String
    /// The test's name with its suite's.
    let title: String
    /// The file and the line.
    let place: String
    /// The first message, and how many more there are.
    let message: String

    /// Creates the line of a test.
    ///
    /// - Parameters:
    ///   - suiteName: The name of its suite.
    ///   - place: The suite's file as the project knows it.
    init(_ result: TestResult, suiteName: String, place: String) {
        mark = result.outcome == .errored ? "💥" : "❌"
        title = "\(suiteName) › \(result.test.name)"
        let line = FailurePlace(of: result)?.line ?? Int(result.test.range.start.line)
        self.place = "\(place):\(line)"
        let message = FailureSummary(result.steps, hasSteps: result.test.hasSteps).message
        // A copy: a part of a long text would keep all of it in memory.
        self.message = String(decoding: Array(message.utf8.prefix(Self.longestMessage)), as: UTF8.self)
    }

    /// The line as an item of a list.
    var item: String {
        "- \(mark) \(MarkdownText.code(title, limit: 200)) \(MarkdownText.code(place, limit: 200)): "
            + "\(MarkdownText.code(message, limit: 200))\n"
    }
}
