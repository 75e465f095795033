import Diagnostics
import Histogram
import Output
import RunModel

/// The figures of a load as a table, for the console.
struct LoadText {
    private static let percentiles: [(title: String, percentile: Double)] = [
        ("p50", 50), ("p90", 90), ("p95", 95), ("p99", 99), ("p99.9", 99.9),
    ]
    /// The maximum number of causes of failures that are shown.
    private static let maximumCauses = 10
    /// The maximum width of the names of steps, in columns.
    private static let nameWidth = 40

    let painter: Painter

    /// Returns the lines of a result: what was done, the latencies of each step, and the causes of failures.
    func text(_ summary: LoadSummary) -> String {
        var text = head(summary)
        text += table(summary)
        text += causes(summary)
        return text
    }

    private func head(_ summary: LoadSummary) -> String {
        var facts = [
            NumberText.count(summary.total.requests, "request"),
            NumberText.rate(summary.total.requests, nanoseconds: summary.duration).map { "\($0)/s" } ?? "",
            NumberText.count(summary.iterations, "iteration"),
            "\(summary.total.failed) failed (\(Self.percent(summary.total.failed, of: summary.total.requests)))",
        ]
        facts.removeAll { $0.isEmpty }
        let title = painter.paint(DisplayWidth.printable("load \(summary.profile)"), .bold)
        return "\(title): \(DisplayWidth.printable(summary.load))\n  \(facts.joined(separator: ", "))\n"
    }

    /// Returns a share in percent with at most two decimals: `0.12%`.
    static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0%" }
        let hundredths = Int((Double(part) * 10_000 / Double(whole)).rounded())
        // A failure among many requests is not "0%".
        if hundredths == 0, part > 0 { return "< 0.01%" }
        let fraction = hundredths % 100
        if fraction == 0 { return "\(hundredths / 100)%" }
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)%"
    }

    private func table(_ summary: LoadSummary) -> String {
        let titles = ["response time", "requests", "failed"] + Self.percentiles.map(\.title) + ["max"]
        var rows = [titles]
        if summary.steps.count != 1 { rows.append(row("all", summary.total.response, summary.total)) }
        for step in summary.steps {
            let name = TextFitting.cut(DisplayWidth.printable(step.name), to: Self.nameWidth)
            rows.append(row(name, step.statistics.response, step.statistics))
        }
        rows.append(row("service time", summary.total.service, nil))
        return aligned(rows)
    }

    private func row(_ name: String, _ histogram: Histogram, _ statistics: LoadStatistics?) -> [String] {
        let values = histogram.values(atPercentiles: Self.percentiles.map(\.percentile)) ?? []
        var cells = [name, statistics.map { String($0.requests) } ?? "", statistics.map { String($0.failed) } ?? ""]
        cells += Self.percentiles.indices.map { values.indices.contains($0) ? LatencyText.text(values[$0]) : "" }
        return cells + [histogram.maximum.map(LatencyText.text) ?? ""]
    }

    /// Returns the rows with the first column aligned at its left, and the others at their right.
    private func aligned(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        var text = ""
        for (index, row) in rows.enumerated() {
            var line = " "
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - DisplayWidth.of(cell))
                line += " " + (column == 0 ? cell + padding : " " + padding + cell)
            }
            while line.last == " " { line.removeLast() }
            text += (index == 0 ? painter.paint(line, .dim) : line) + "\n"
        }
        return text
    }

    private func causes(_ summary: LoadSummary) -> String {
        var text = ""
        for cause in summary.causes.prefix(Self.maximumCauses) {
            let place = cause.finding.range.map { "  \($0.file.name):\($0.start.line):\($0.start.column)" } ?? ""
            let message = DisplayWidth.printable("\(cause.finding.subject): \(cause.finding.message)")
            text += "  \(painter.paint("\(cause.count) ×", .failure)) \(DisplayWidth.printable(cause.step)): \(message)"
            text += painter.paint(DisplayWidth.printable(place), .dim) + "\n"
        }
        let more = summary.causes.dropFirst(Self.maximumCauses).reduce(summary.otherFailures) { $0 + $1.count }
        if more > 0 { text += "  \(more) × other failures\n" }
        return text
    }
}
