import Basics
import Diagnostics
import Output
import RunModel

/// The figures of a load as a table, for the console.
struct LoadText {
    /// The maximum number of causes of failures that are shown.
    private static let maximumCauses = 10
    /// The maximum number of the slowest requests whose traces are shown.
    private static let maximumTraces = 3
    /// The maximum width of the names of steps, in columns.
    private static let nameWidth = 40

    let painter: Painter
    /// The shard of the load, such as `2/5`; nil for the whole load.
    var shard: String?

    /// Returns the lines of a result: what was done, the latencies of each step, and the causes of failures.
    func text(_ summary: LoadSummary) -> String {
        var text = head(summary) + warnings(summary)
        text += table(summary)
        text += causes(summary)
        text += slowTraces(summary)
        return text
    }

    private func head(_ summary: LoadSummary) -> String {
        let title = painter.paint(DisplayWidth.printable("load \(summary.profile)"), .bold)
        let facts = LoadTable.facts(summary).joined(separator: ", ")
        let part = shard.map { "shard \($0) of " } ?? ""
        return "\(title): \(DisplayWidth.printable(part + summary.load))\n  \(facts)\n"
    }

    /// Returns the reasons for which the figures of a shard are invalid. Those of a whole load are a failed case.
    private func warnings(_ summary: LoadSummary) -> String {
        guard shard != nil else { return "" }
        return summary.invalidities.map { invalidity in
            let message = DisplayWidth.printable(invalidity.message.text)
            return "  \(painter.paint("warning:", .warning)) \(message) [\(Finding.Reason.invalidLoad.rawValue)]\n"
        }.joined()
    }

    private func table(_ summary: LoadSummary) -> String {
        let rows = LoadTable(summary).rows.map { row in
            let name = row.isStep ? TextFitting.cut(DisplayWidth.printable(row.name), to: Self.nameWidth) : row.name
            return [name, row.requests, row.failed] + row.latencies
        }
        return aligned([LoadTable.titles] + rows)
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
            let trace = cause.exchange?.request.traceID.map { "  trace \($0)" } ?? ""
            text += painter.paint(DisplayWidth.printable(place) + trace, .dim) + "\n"
        }
        let more = summary.causes.dropFirst(Self.maximumCauses).reduce(summary.otherFailures) { $0 + $1.count }
        if more > 0 { text += "  \(more) × other failures\n" }
        return text
    }

    /// Returns the traces of the slowest requests, if they have any, in which a tracing system shows where the time went.
    private func slowTraces(_ summary: LoadSummary) -> String {
        summary.slowest.prefix(Self.maximumTraces).compactMap { slow in
            slow.exchange.request.traceID.map { trace in
                let step = DisplayWidth.printable(slow.step)
                let text = "  slow: \(LatencyText.text(slow.response)) \(step)"
                return text + painter.paint("  trace \(trace)", .dim) + "\n"
            }
        }.joined()
    }
}
