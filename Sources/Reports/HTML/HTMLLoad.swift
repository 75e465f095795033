import Basics
import Diagnostics
import Output
import RunModel
import RunRecord

/// The section of a load on the page: figures, charts, causes of failures, and the slowest exchanges.
///
/// It is markup that needs no script. With scripts, the overview contains it, and exchanges look like those of tests.
struct HTMLLoad {
    /// The maximum number of steps in the table and with a histogram.
    private static let maximumSteps = 50
    /// The maximum number of causes.
    private static let maximumCauses = 50
    /// The maximum number of slowest exchanges.
    private static let maximumSlowest = 10
    /// The width of an exchange that is shown without scripts, in columns.
    private static let width = 110

    private var series = LoadSeries()
    /// The section; empty without a load.
    private(set) var markup: [UInt8] = []
    /// The elements with the data of exchanges.
    private(set) var elements: [[UInt8]] = []

    /// Processes an event of the load.
    mutating func receive(_ event: LoadEvent) {
        switch event {
        case .second(let second):
            series.add(second)
        case .progress:
            break
        case .finished(let summary):
            markup += Array(section(summary).utf8)
            series = LoadSeries()
        }
    }

    private mutating func section(_ summary: LoadSummary) -> String {
        var text = "<section class=\"card load\" aria-label=\"Load\">\n<h2>Load <small>"
        text += HTMLText.shown("\(summary.profile): \(summary.load)") + "</small></h2>\n"
        for invalidity in summary.invalidities {
            let message = HTMLText.shown(invalidity.message.text)
            text += "<p class=\"invalid\"><b>⚠ Warning:</b> \(message)</p>\n"
        }
        text += Self.facts(summary) + Self.table(summary) + charts(summary)
        text += causes(summary) + slowest(summary)
        return text + "</section>\n"
    }

    // MARK: Figures

    private static func facts(_ summary: LoadSummary) -> String {
        let iterations = HTMLAxis.number(Double(summary.iterations))
        let failed = HTMLAxis.number(Double(summary.total.failed))
        let facts = [
            ("Measured", DurationText.text(summary.duration) + (summary.isCutShort ? ", ended early" : "")),
            ("Requests", HTMLAxis.number(Double(summary.total.requests))),
            ("Rate", LoadTable.rate(summary)),
            ("Iterations", iterations + (summary.failedIterations > 0 ? ", \(summary.failedIterations) failed" : "")),
            ("Failed requests", "\(failed) (\(LoadTable.failedShare(summary)))"),
        ]
        var text = "<dl class=\"facts\">\n"
        for (name, value) in facts where !value.isEmpty {
            text += "<div><dt>\(name)</dt><dd>\(HTMLText.shown(value))</dd></div>\n"
        }
        return text + "</dl>\n"
    }

    private static func table(_ summary: LoadSummary) -> String {
        let table = LoadTable(summary, maximumSteps: maximumSteps)
        var text = "<div class=\"scroll\" role=\"region\" aria-label=\"Latencies\" tabindex=\"0\">\n"
        text += "<table class=\"figures\">\n<thead><tr>"
        for title in LoadTable.titles { text += "<th scope=\"col\">\(HTMLText.shown(title))</th>" }
        text += "</tr></thead>\n<tbody>\n"
        for row in table.rows {
            text += "<tr><th scope=\"row\">\(HTMLText.shown(row.name))</th>"
            for cell in [row.requests, row.failed] + row.latencies { text += "<td>\(cell)</td>" }
            text += "</tr>\n"
        }
        text += "</tbody>\n</table>\n</div>\n"
        if table.omitted > 0 { text += "<p class=\"dim\">and \(NumberText.count(table.omitted, "more step"))</p>\n" }
        return text
    }

    // MARK: Charts

    private func charts(_ summary: LoadSummary) -> String {
        var text = ""
        let points = series.points
        if !points.isEmpty {
            let names = ["p50", "p95", "p99"]
            let latencies = names.enumerated().map { index, name in
                HTMLChart.Line(name: name, style: name, values: points.map { $0.latencies.map { Double($0[index]) } })
            }
            let rate = HTMLChart.Line(
                name: "requests", style: "rate", values: points.map { $0.perSecond($0.requests) })
            let failed = HTMLChart.Line(name: "failed", style: "failed", values: points.map { $0.perSecond($0.failed) })
            text += "<div class=\"charts\">\n"
            text += HTMLChart.figure("Requests per second", [rate], of: series, unit: .count) { Self.rate($0) }
            text += HTMLChart.figure("Response time", latencies, of: series, unit: .latency) {
                LatencyText.text(Int64($0))
            }
            text += HTMLChart.figure("Failed requests per second", [failed], of: series, unit: .count) { Self.rate($0) }
            text += "</div>\n"
        }
        let histograms = summary.steps.prefix(Self.maximumSteps).compactMap { step in
            HTMLChart.histogram(step.name, step.statistics.response)
        }
        if !histograms.isEmpty {
            text += "<details class=\"more\"><summary>"
            text += "Distribution of the response times of each step, on a logarithmic scale</summary>\n"
            text += "<div class=\"charts\">\n\(histograms.joined())</div>\n</details>\n"
        }
        return text
    }

    private static func rate(_ number: Double) -> String { HTMLAxis.number((number * 10).rounded() / 10) }

    // MARK: Exchanges

    private mutating func causes(_ summary: LoadSummary) -> String {
        guard !summary.causes.isEmpty else { return "" }
        var text = "<h3>Causes of failed requests</h3>\n"
        for cause in summary.causes.prefix(Self.maximumCauses) {
            let title = "\(cause.step): \(cause.finding.subject): \(cause.finding.message)"
            text += "<details class=\"more\"><summary><b>\(cause.count) ×</b> \(HTMLText.shown(title))</summary>\n"
            if let range = cause.finding.range {
                text += "<p class=\"place\"><code>\(HTMLText.shown(range.description))</code></p>\n"
            }
            if let exchange = cause.exchange {
                text += "<p class=\"dim\">The first of these exchanges:</p>\n" + place(for: exchange)
            }
            text += "</details>\n"
        }
        let more = summary.causes.dropFirst(Self.maximumCauses).reduce(summary.otherFailures) { $0 + $1.count }
        if more > 0 { text += "<p class=\"dim\">\(more) × other failures</p>\n" }
        return text
    }

    private mutating func slowest(_ summary: LoadSummary) -> String {
        guard !summary.slowest.isEmpty else { return "" }
        var text = "<h3>Slowest requests</h3>\n"
        for slow in summary.slowest.prefix(Self.maximumSlowest) {
            text += "<details class=\"more\"><summary><b>\(LatencyText.text(slow.response))</b> "
            text += HTMLText.shown(slow.step)
            text += " <span class=\"dim\">after \(DurationText.text(slow.time))</span></summary>\n"
            text += place(for: slow.exchange) + "</details>\n"
        }
        return text
    }

    /// Returns the element of an exchange with its text, which a script replaces, and keeps the data for the script.
    private mutating func place(for exchange: Exchange) -> String {
        let sizes = BodySizes.Pair(of: exchange)
        let id = "load-\(elements.count)"
        var json = JSONText(.embedded)
        HTMLExchange(exchange: exchange, sizes: sizes, limits: HTMLBudget.full).write(into: &json)
        elements.append(
            Array("<script type=\"application/json\" id=\"\(id)\">".utf8) + json.bytes + Array("</script>\n".utf8))
        var text = ""
        ExchangeLayout(painter: Painter(color: false), width: Self.width).write(exchange, sizes: sizes, into: &text)
        return "<div data-exchange=\"\(id)\"><pre>\(HTMLText.shown(text, limit: 4_000))</pre></div>\n"
    }
}
