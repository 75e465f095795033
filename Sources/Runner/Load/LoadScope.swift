import CEL
import Histogram
import RunModel

/// The names that thresholds and `abort` can use, with the figures of a load.
///
/// Counts are floating-point numbers, so that `failed / requests` is a fraction.
struct LoadScope: CELScope {
    /// The percentiles, by their names.
    private static let percentiles: [(name: String, percentile: Double)] = [
        ("p50", 50), ("p75", 75), ("p90", 90), ("p95", 95), ("p99", 99), ("p999", 99.9),
    ]

    /// The names.
    static let names = ["requests", "failed", "iterations", "rate", "step", "service"] + figureNames

    private static let figureNames = percentiles.map(\.name) + ["min", "mean", "max"]

    private let values: [String: CELValue]
    /// The names of steps, each as long as it must be to be unique, and in full.
    let steps: [String]

    /// Creates the scope of a result.
    init(_ summary: LoadSummary) {
        var values = Self.values(of: summary.total, seconds: Double(summary.duration) / 1e9)
        values["iterations"] = .double(Double(summary.iterations))
        var steps: [(String, CELValue)] = []
        var counts: [String: Int] = [:]
        for step in summary.steps { counts[step.step ?? step.test, default: 0] += 1 }
        for step in summary.steps {
            let figures = CELValue.map(
                CELMap(Self.values(of: step.statistics, seconds: Double(summary.duration) / 1e9).map { ($0, $1) }))
            steps.append((step.name, figures))
            // The name of a step alone suffices if no other test has a step of that name.
            if let name = step.step, counts[name] == 1 { steps.append((name, figures)) }
        }
        values["step"] = .map(CELMap(steps))
        self.steps = steps.map(\.0)
        self.values = values
    }

    var names: [String] { Self.names }

    func value(of name: String) throws(CELEvaluationError) -> CELValue? { values[name] }

    private static func values(of statistics: LoadStatistics, seconds: Double) -> [String: CELValue] {
        var values = figures(of: statistics.response)
        values["requests"] = .double(Double(statistics.requests))
        values["failed"] = .double(Double(statistics.failed))
        values["rate"] = .double(seconds > 0 ? Double(statistics.requests) / seconds : 0)
        values["service"] = .map(CELMap(figures(of: statistics.service).map { ($0, $1) }))
        return values
    }

    private static func figures(of histogram: Histogram) -> [String: CELValue] {
        func duration(_ nanoseconds: Int64?) -> CELValue { .duration(CELDuration(nanoseconds: nanoseconds ?? 0)) }
        let percentiles = histogram.values(atPercentiles: percentiles.map(\.percentile))
        var values: [String: CELValue] = [:]
        for (index, name) in Self.percentiles.map(\.name).enumerated() { values[name] = duration(percentiles?[index]) }
        values["min"] = duration(histogram.minimum)
        values["max"] = duration(histogram.maximum)
        values["mean"] = duration(histogram.mean.map { Int64($0) })
        return values
    }
}
