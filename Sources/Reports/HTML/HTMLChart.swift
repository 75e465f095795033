import Glibc
import Histogram
import Output
import RunModel

/// Charts as inline SVG: figures over the time of a load, and histograms of latencies.
///
/// Colors and line styles are classes, because the policy of the page forbids inline styles. A label of each chart
/// states its figures for readers that cannot see it.
enum HTMLChart {
    /// A line of a chart.
    struct Line {
        /// The name in the legend.
        var name: String
        /// The class of its color.
        var style: String
        /// A value for each point; nil if it has none.
        var values: [Double?]
    }

    /// The size of a chart, and the part within its axes.
    private static let size = (width: 300.0, height: 180.0)
    private static let plot = (left: 48.0, right: 290.0, top: 10.0, bottom: 152.0)
    /// The number of bars of a histogram.
    private static let bars = 48

    // MARK: Figures over time

    /// Returns a chart of figures over the time of a load.
    ///
    /// - Parameter text: Formats a value for the label.
    static func figure(
        _ title: String, _ lines: [Line], of series: LoadSeries, unit: HTMLAxis.Unit, text: (Double) -> String
    ) -> String {
        let time = HTMLAxis(time: Double(series.end))
        let values = HTMLAxis(upTo: lines.flatMap(\.values).compactMap { $0 }.max() ?? 0, unit)
        var svg = ""
        let warmupEnd = Double(series.warmupEnd)
        if warmupEnd > 0 {
            let width = x(warmupEnd / time.end) - plot.left
            svg += "<rect class=\"warmup\" x=\"\(number(plot.left))\" y=\"\(number(plot.top))\""
            svg += " width=\"\(number(width))\" height=\"\(number(plot.bottom - plot.top))\"/>"
        }
        svg += grid(values) + ticks(time.ticks.map { (x($0.value / time.end), $0.text) })
        for line in lines {
            svg += "<path class=\"curve \(line.style)\" d=\""
            svg += path(of: line, times: series.points.map { x(Double($0.time) / time.end) }, end: values.end) + "\"/>"
        }
        var label = "\(title), over \(DurationText.text(series.end))"
        if warmupEnd > 0 { label += " with a warm-up of \(DurationText.text(series.warmupEnd))" }
        label += ": " + lines.map { summary(of: $0, isOnly: lines.count == 1, text) }.joined(separator: "; ")
        return figure(title, svg, label: label, legend: legend(lines, hasWarmup: warmupEnd > 0))
    }

    private static func summary(of line: Line, isOnly: Bool, _ text: (Double) -> String) -> String {
        let values = line.values.compactMap { $0 }
        let name = isOnly ? "" : "\(line.name) "
        guard let low = values.min(), let high = values.max() else { return "\(name)without values" }
        return low == high ? "\(name)\(text(low))" : "\(name)from \(text(low)) to \(text(high))"
    }

    /// Returns the path of a line, interrupted where it has no value. A single value is a dot.
    private static func path(of line: Line, times: [Double], end: Double) -> String {
        var path = ""
        var isOpen = false
        for (x, value) in zip(times, line.values) {
            guard let value else {
                isOpen = false
                continue
            }
            let point = "\(number(x)) \(number(y(value / end)))"
            path += isOpen ? "L\(point)" : "M\(point)h0"
            isOpen = true
        }
        return path
    }

    private static func legend(_ lines: [Line], hasWarmup: Bool) -> String {
        var parts: [String] = []
        if lines.count > 1 {
            parts = lines.map { key("<path class=\"curve \($0.style)\" d=\"M1 5H23\"/>", $0.name) }
        }
        if hasWarmup { parts.append(key("<rect class=\"warmup\" width=\"24\" height=\"10\"/>", "warm-up")) }
        return parts.isEmpty ? "" : "<p class=\"legend\">\(parts.joined())</p>\n"
    }

    private static func key(_ shape: String, _ name: String) -> String {
        "<span><svg class=\"key\" viewBox=\"0 0 24 10\" aria-hidden=\"true\">\(shape)</svg>\(name)</span>"
    }

    // MARK: Histograms

    /// Returns a histogram of latencies with a logarithmic axis; nil for an empty one.
    static func histogram(_ title: String, _ histogram: Histogram) -> String? {
        guard let minimum = histogram.minimum, let maximum = histogram.maximum,
            let median = histogram.value(atPercentile: 50)
        else { return nil }
        // The range is at least a factor of two, and no bar is narrower than a bucket.
        let center = (log10(Double(max(minimum, 1_000))) + log10(Double(max(maximum, 1_000)))) / 2
        let low = min(log10(Double(max(minimum, 1_000))), center - 0.15)
        let high = max(log10(Double(max(maximum, 1_000))), center + 0.15)
        var counts = [Int](repeating: 0, count: bars)
        for bucket in histogram.buckets {
            let value = log10(Double(max(bucket.bounds.upperBound, 1_000)))
            counts[min(bars - 1, max(0, Int((value - low) / (high - low) * Double(bars))))] += bucket.count
        }
        let values = HTMLAxis(upTo: Double(counts.max() ?? 0), .count)
        let latencies = HTMLAxis(logarithmicFrom: pow(10, low), to: pow(10, high))
        var svg = grid(values) + ticks(latencies.ticks.map { (x((log10($0.value) - low) / (high - low)), $0.text) })
        svg += "<path class=\"bars\" d=\""
        let width = (plot.right - plot.left) / Double(bars)
        for (index, count) in counts.enumerated() where count > 0 {
            // A rare latency stays visible.
            let height = max(1, plot.bottom - y(Double(count) / values.end))
            svg += "M\(number(plot.left + width * Double(index))) \(number(plot.bottom))v-\(number(height))"
            svg += "h\(number(width - 0.8))v\(number(height))z"
        }
        svg += "\"/>"
        let label = """
            Response times of \(NumberText.count(histogram.count, "request")) on a logarithmic scale: from \
            \(LatencyText.text(minimum)) to \(LatencyText.text(maximum)), median \(LatencyText.text(median))
            """
        return figure(title, svg, label: label, legend: "")
    }

    // MARK: Parts

    private static func figure(_ title: String, _ svg: String, label: String, legend: String) -> String {
        let box = "0 0 \(number(size.width)) \(number(size.height))"
        return """
            <figure><figcaption>\(HTMLText.shown(title))</figcaption>
            <svg viewBox="\(box)" role="img" aria-label="\(HTMLText.shown(label))">\(svg)</svg>
            \(legend)</figure>

            """
    }

    /// Returns the lines and texts of the vertical axis.
    private static func grid(_ axis: HTMLAxis) -> String {
        var svg = ""
        for tick in axis.ticks {
            let y = y(tick.value / axis.end)
            svg += "<path class=\"grid\" d=\"M\(number(plot.left)) \(number(y))H\(number(plot.right))\"/>"
            svg += "<text class=\"end\" x=\"\(number(plot.left - 6))\" y=\"\(number(y + 4))\">\(tick.text)</text>"
        }
        return svg
    }

    /// Returns the marks and texts of the horizontal axis.
    private static func ticks(_ ticks: [(x: Double, text: String)]) -> String {
        var svg = ""
        for tick in ticks {
            svg += "<path class=\"grid\" d=\"M\(number(tick.x)) \(number(plot.bottom))v5\"/>"
            svg += "<text class=\"middle\" x=\"\(number(tick.x))\" y=\"\(number(plot.bottom + 19))\">"
            svg += tick.text + "</text>"
        }
        return svg
    }

    private static func x(_ share: Double) -> Double { plot.left + (plot.right - plot.left) * share }

    private static func y(_ share: Double) -> Double { plot.bottom - (plot.bottom - plot.top) * share }

    /// Returns a coordinate with at most one decimal.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}

extension HTMLText {
    /// Returns a string as character data or as a quoted attribute value, without control characters.
    static func shown(_ text: String, limit: Int = 1_000) -> String {
        var output: [UInt8] = []
        append(text, to: &output, limit: limit)
        return String(decoding: output, as: UTF8.self)
    }
}
