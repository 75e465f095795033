import Histogram
import Output
import RunModel

/// The figures of a load as texts: the table of latencies, and the facts above it.
struct LoadTable {
    /// The latencies of a step, of all requests, or of all requests without their delay.
    struct Row {
        var name: String
        /// The number of requests; empty for service times, which are those of all requests.
        var requests = ""
        /// The number of failed requests.
        var failed = ""
        /// The latencies in the order of ``latencies``; empty texts if there are none.
        var latencies: [String]
        /// Whether the row is that of a step.
        var isStep = false
    }

    /// The titles of the columns with latencies.
    static let latencies = percentiles.map(\.title) + ["max"]
    /// The titles of all columns.
    static let titles = ["response time", "requests", "failed"] + latencies

    private static let percentiles: [(title: String, percentile: Double)] = [
        ("p50", 50), ("p90", 90), ("p95", 95), ("p99", 99), ("p99.9", 99.9),
    ]

    /// The rows: all requests, each step, and service times.
    let rows: [Row]
    /// The number of steps that have no row.
    let omitted: Int

    /// Creates the table of a load.
    ///
    /// - Parameter maximumSteps: The maximum number of steps with a row.
    init(_ summary: LoadSummary, maximumSteps: Int = .max) {
        var rows: [Row] = []
        // The only step of a load has the figures of all requests.
        if summary.steps.count != 1 { rows.append(Self.row("all", summary.total)) }
        for step in summary.steps.prefix(maximumSteps) {
            var row = Self.row(step.name, step.statistics)
            row.isStep = true
            rows.append(row)
        }
        rows.append(Row(name: "service time", latencies: Self.texts(summary.total.service)))
        self.rows = rows
        omitted = max(0, summary.steps.count - maximumSteps)
    }

    private static func row(_ name: String, _ statistics: LoadStatistics) -> Row {
        Row(
            name: name, requests: String(statistics.requests), failed: String(statistics.failed),
            latencies: texts(statistics.response))
    }

    private static func texts(_ histogram: Histogram) -> [String] {
        guard let values = histogram.values(atPercentiles: percentiles.map(\.percentile)), let last = histogram.maximum
        else { return latencies.map { _ in "" } }
        return (values + [last]).map(LatencyText.text)
    }

    /// Returns the numbers of a load: `900 requests`, `301/s`, `300 iterations`, `0 failed (0%)`.
    static func facts(_ summary: LoadSummary) -> [String] {
        let facts = [
            NumberText.count(summary.total.requests, "request"), rate(summary),
            NumberText.count(summary.iterations, "iteration"),
            "\(summary.total.failed) failed (\(failedShare(summary)))",
        ]
        return facts.filter { !$0.isEmpty }
    }

    /// Returns the requests per second: `301/s`; an empty text if no time has passed.
    static func rate(_ summary: LoadSummary) -> String {
        NumberText.rate(summary.total.requests, nanoseconds: summary.duration).map { "\($0)/s" } ?? ""
    }

    /// Returns the share of failed requests in percent.
    static func failedShare(_ summary: LoadSummary) -> String {
        percent(summary.total.failed, of: summary.total.requests)
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
}
