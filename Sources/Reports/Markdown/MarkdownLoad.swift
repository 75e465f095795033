import Basics
import Diagnostics
import Output
import RunModel

/// The section of a load in Markdown: the facts, the latencies of each step, and the causes of failures.
struct MarkdownLoad {
    /// The maximum number of steps in the table.
    private static let maximumSteps = 20
    /// The maximum number of causes.
    private static let maximumCauses = 10

    /// The section.
    let text: String

    /// Creates the section of a load.
    init(_ summary: LoadSummary) {
        var text = "## Load\n\n\(MarkdownText.code("\(summary.profile): \(summary.load)"))"
        text += " · " + LoadTable.facts(summary).joined(separator: " · ") + "\n\n"
        for invalidity in summary.invalidities {
            text += "⚠️ **warning**: \(MarkdownText.code(invalidity.message.text))\n\n"
        }
        self.text = text + Self.table(summary) + Self.causes(summary)
    }

    private static func table(_ summary: LoadSummary) -> String {
        let table = LoadTable(summary, maximumSteps: maximumSteps)
        let columns = ["Requests", "Failed"] + LoadTable.latencies
        var text = MarkdownText.head([.left("Response time")] + columns.map { .right($0) })
        for row in table.rows {
            let name = row.isStep ? MarkdownText.code(row.name, limit: 100, inTable: true) : row.name
            text += MarkdownText.row([name, row.requests, row.failed] + row.latencies)
        }
        text += "\n"
        if table.omitted > 0 { text += "… and \(NumberText.count(table.omitted, "more step"))\n\n" }
        return text
    }

    private static func causes(_ summary: LoadSummary) -> String {
        guard !summary.causes.isEmpty else { return "" }
        var text = MarkdownText.head(.right("Failed"), .left("Step"), .left("Cause"), .left("Location"))
        for cause in summary.causes.prefix(maximumCauses) {
            let message = "\(cause.finding.subject): \(cause.finding.message)"
            let location = cause.finding.range.map { MarkdownText.code($0.description, inTable: true) } ?? ""
            text += MarkdownText.row(
                String(cause.count), MarkdownText.code(cause.step, limit: 100, inTable: true),
                MarkdownText.code(message, limit: 200, inTable: true), location)
        }
        text += "\n"
        let more = summary.causes.dropFirst(maximumCauses).reduce(summary.otherFailures) { $0 + $1.count }
        if more > 0 { text += "… and \(NumberText.count(more, "failure")) with other causes\n\n" }
        return text
    }
}
