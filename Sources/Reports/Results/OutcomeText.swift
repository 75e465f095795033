import Diagnostics
import Output
import RunModel

/// Outcomes as the console shows them.
enum OutcomeText {
    /// The mark before a test.
    static func mark(_ outcome: TestResult.Outcome) -> String {
        switch outcome {
        case .passed: "✓"
        case .flaky: "~"
        case .known: "!"
        case .failed, .errored: "✗"
        case .skipped, .blocked: "-"
        }
    }

    /// The color of the mark.
    static func style(_ outcome: TestResult.Outcome) -> Painter.Style {
        switch outcome {
        case .passed: .success
        case .failed, .errored: .failure
        case .flaky, .known, .skipped, .blocked: .warning
        }
    }

    /// The mark of a run.
    static func overall(_ summary: RunSummary) -> TestResult.Outcome {
        summary.troubles.isEmpty ? overall(summary.counts, wasInterrupted: summary.wasInterrupted) : .failed
    }

    /// The mark of a suite: that of a failure when its server ended by itself.
    static func overall(_ summary: SuiteSummary) -> TestResult.Outcome {
        summary.hasServerError ? .errored : overall(summary.counts, wasInterrupted: summary.notRun > 0)
    }

    /// The mark of counts taken together: neutral when nothing failed, but tests were cut off.
    static func overall(_ counts: OutcomeCounts, wasInterrupted: Bool) -> TestResult.Outcome {
        if counts.failed + counts.errored > 0 { return .failed }
        if counts.blocked > 0 { return .blocked(by: "") }
        if wasInterrupted { return .skipped(reason: "") }
        return counts.passed + counts.flaky + counts.known > 0 || counts.total == 0 ? .passed : .skipped(reason: "")
    }

    /// The counts that are not zero, such as `11 passed, 1 failed`, with the width of the text.
    static func counts(_ counts: OutcomeCounts, painter: Painter) -> (text: String, width: Int) {
        let parts = parts(counts, painter: painter)
        let width = parts.reduce(0) { $0 + $1.plain.utf8.count } + 2 * (parts.count - 1)
        return (parts.map(\.painted).joined(separator: ", "), width)
    }

    /// The counts that are not zero, one by one.
    static func parts(_ counts: OutcomeCounts, painter: Painter) -> [(plain: String, painted: String)] {
        let parts: [(Int, String, Painter.Style)] = [
            (counts.passed, "passed", .success), (counts.flaky, "flaky", .warning),
            (counts.known, "known", .warning),
            (counts.failed, "failed", .failure),
            (counts.errored, "errored", .failure), (counts.skipped, "skipped", .warning),
            (counts.blocked, "blocked", .warning),
        ]
        let shown = parts.filter { $0.0 > 0 }.map { count, word, style in
            ("\(count) \(word)", painter.paint("\(count) \(word)", style))
        }
        return shown.isEmpty ? [("no tests", "no tests")] : shown
    }
}

extension Annotations {
    /// Lines of a description that reports of lines show.
    private static let maximumLines = 10

    /// The first lines of the description, without empty ones and without characters that would disturb a terminal.
    var descriptionLines: [String] {
        let lines = (description ?? "").split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        let shown = lines.prefix(Self.maximumLines).map { DisplayWidth.printable(String($0)) }
        return lines.count > shown.count ? shown + ["…"] : shown
    }
}
