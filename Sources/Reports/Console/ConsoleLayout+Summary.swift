import Diagnostics
import OpenAPI
import SuiteModel

extension ConsoleLayout {
    /// The line of a suite: its name, its counts and its time, in several lines where a terminal is too narrow for one.
    func suiteLine(_ name: String, _ outcome: TestResult.Outcome, _ summary: SuiteSummary) -> String {
        let title = title(outcome, [name])
        let counts = OutcomeText.counts(summary.counts, painter: painter)
        let columns = title.width + 2 + counts.width
        if options.width == nil || columns + 10 <= width {
            return spread(title.text + "  " + counts.text, columns, summary.duration)
        }
        let parts = OutcomeText.parts(summary.counts, painter: painter) + [duration(summary.duration)]
        return title.text + "\n  " + filled(parts, from: 2)
    }

    /// The first line of the summary, in several lines where a terminal is too narrow for one.
    func summaryLine(_ summary: RunSummary, _ outcome: TestResult.Outcome, suites: Int) -> String {
        let tests = summary.testCountText + " in " + NumberText.count(suites, "suite")
        var parts = OutcomeText.parts(summary.counts, painter: painter)
        for trouble in summary.troubles { parts.append((trouble, painter.paint(trouble, .failure))) }
        if summary.wasInterrupted { parts.append(("interrupted", "interrupted")) }
        let head = painter.paint(OutcomeText.mark(outcome), OutcomeText.style(outcome)) + " "
        return head + painter.paint(tests, .bold) + ": " + filled(parts, from: 4 + DisplayWidth.of(tests))
    }

    /// The second line of the summary: requests, time and rate.
    func facts(_ summary: RunSummary, seed: UInt64?) -> String {
        var facts = NumberText.count(summary.exchanges, "request") + " in " + DurationText.text(summary.duration)
        if let rate = NumberText.rate(summary.exchanges, nanoseconds: summary.duration) { facts += ", \(rate)/s" }
        if let seed { facts += ", seed \(seed)" }
        return wrapped(facts).map { "  " + painter.paint($0, .dim) + "\n" }.joined()
    }

    /// The part of a description that the run has exercised.
    func coverage(_ coverage: ContractCoverage, showsAll: Bool) -> String {
        let words = CoverageText(coverage)
        var text = wrapped("contract " + words.line).map { "  " + painter.paint($0, .dim) + "\n" }.joined()
        guard showsAll else { return text }
        let lines =
            CoverageText.section("not covered", words.missed)
            + CoverageText.section("not documented", words.undocumented)
        for line in lines { text += "  \(line)\n" }
        return text
    }

    /// The tests that got no response for a reason that was shown before.
    ///
    /// - Parameter namesSuites: Whether suites are named: in a run of one suite its name says nothing.
    func group(_ group: FailureForms.Group, namesSuites: Bool) -> String {
        let title = { (names: [String]) in (namesSuites ? names[...] : names.dropFirst()).joined(separator: " › ") }
        let tests = NumberText.count(group.count, "more test") + " did not pass for the same reason as"
        let heading = wrapped("\(tests) \"\(title(group.first))\"")
        var text = painter.paint("✗", .failure) + " "
        text += heading.map { painter.paint($0, .bold) }.joined(separator: "\n  ") + "\n"
        for cause in wrapped(group.cause) { text += "  " + painter.paint(cause, .wrong) + "\n" }
        let names = group.names.map(title).joined(separator: ", ")
        let more = group.count - group.names.count
        for line in wrapped(names + (more > 0 ? ", … \(more) more" : "")) {
            text += "  " + painter.paint(line, .dim) + "\n"
        }
        return text + "\n"
    }

    private func duration(_ nanoseconds: Int64) -> (plain: String, painted: String) {
        let time = DurationText.text(nanoseconds)
        return (time, painter.paint(time, .dim))
    }

    /// Parts with commas between them, in lines of the terminal's width; only the first line begins in a given column.
    private func filled(_ parts: [(plain: String, painted: String)], from column: Int) -> String {
        var text = ""
        var columns = column
        for (index, part) in parts.enumerated() {
            let size = DisplayWidth.of(part.plain) + (index < parts.count - 1 ? 1 : 0)
            if index > 0 {
                if options.width != nil, columns + 1 + size > width {
                    text += "\n  "
                    columns = 2
                } else {
                    text += " "
                    columns += 1
                }
            }
            text += part.painted + (index < parts.count - 1 ? "," : "")
            columns += size
        }
        return text
    }
}
