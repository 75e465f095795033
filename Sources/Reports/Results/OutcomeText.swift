import Diagnostics
import Output
import RunModel

/// Formatting of outcomes on the console.
enum OutcomeText {
    /// Returns the mark before the name of a test.
    static func mark(_ outcome: TestResult.Outcome) -> String {
        switch outcome {
        case .passed: "✓"
        case .flaky: "~"
        case .known: "!"
        case .failed, .errored: "✗"
        case .skipped, .blocked: "-"
        }
    }

    /// Returns the style of the mark.
    static func style(_ outcome: TestResult.Outcome) -> Painter.Style {
        switch outcome {
        case .passed: .success
        case .failed, .errored: .failure
        case .flaky, .known, .skipped, .blocked: .warning
        }
    }

    /// Returns the overall outcome of a run.
    static func overall(_ summary: RunSummary) -> TestResult.Outcome {
        summary.problems.isEmpty ? overall(summary.counts, wasInterrupted: summary.wasInterrupted) : .failed
    }

    /// Returns the overall outcome of a suite, which is an error if its server exited on its own.
    static func overall(_ summary: SuiteSummary) -> TestResult.Outcome {
        summary.hasServerError ? .errored : overall(summary.counts, wasInterrupted: summary.notRun > 0)
    }

    /// Returns the overall outcome of counts.
    ///
    /// It is neutral if no test failed but the run was interrupted.
    static func overall(_ counts: OutcomeCounts, wasInterrupted: Bool) -> TestResult.Outcome {
        if counts.failed + counts.errored > 0 { return .failed }
        if counts.blocked > 0 { return .blocked(by: "") }
        if wasInterrupted { return .skipped(reason: "") }
        return counts.passed + counts.flaky + counts.known > 0 || counts.total == 0 ? .passed : .skipped(reason: "")
    }

    /// Returns the nonzero counts, such as `11 passed, 1 failed`, with the width of the text.
    static func counts(_ counts: OutcomeCounts, painter: Painter) -> (text: String, width: Int) {
        let parts = parts(counts, painter: painter)
        let width = parts.reduce(0) { $0 + $1.plain.utf8.count } + 2 * (parts.count - 1)
        return (parts.map(\.painted).joined(separator: ", "), width)
    }

    /// Returns the nonzero counts one by one.
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
    /// The maximum number of lines of a description in line-based reports.
    private static let maximumLines = 10

    /// The first nonempty lines of the description, without terminal control characters.
    var descriptionLines: [String] {
        let lines = (description ?? "").split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        let shown = lines.prefix(Self.maximumLines).map { DisplayWidth.printable(String($0)) }
        return lines.count > shown.count ? shown + ["…"] : shown
    }
}
