import Glibc
import RunModel

/// An axis of a chart: its end, and round numbers at its ticks.
struct HTMLAxis {
    /// The unit of the numbers.
    enum Unit {
        case count
        /// Nanoseconds of a latency.
        case latency
        /// Nanoseconds since the start of a load.
        case time
    }

    /// The ticks in ascending order, each with its text.
    let ticks: [(value: Double, text: String)]
    /// The highest value.
    let end: Double

    /// The intervals between ticks of times, in seconds.
    private static let seconds = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
    ]

    /// Creates an axis of counts or latencies that starts at 0 and ends at a round number.
    init(upTo maximum: Double, _ unit: Unit, intervals: Int = 4) {
        let least = unit == .count ? 1 : 1_000.0
        let step = Self.round(max(maximum, least) / Double(intervals), isWhole: unit == .count && maximum <= 4)
        let count = max(1, Int((maximum / step).rounded(.up)))
        end = step * Double(count)
        ticks = (0...count).map { index in
            let value = step * Double(index)
            return (value, unit == .latency ? Self.latency(value) : Self.number(value))
        }
    }

    /// Creates an axis of the time of a load, which ends with the load.
    init(time end: Double, intervals: Int = 4) {
        self.end = max(end, 1e9)
        let ideal = self.end / 1e9 / Double(intervals)
        let step = Double(Self.seconds.first { Double($0) >= ideal } ?? Int((ideal / 86_400).rounded(.up)) * 86_400)
        ticks = (0...Int(self.end / 1e9 / step)).map { index in
            (Double(index) * step * 1e9, Self.time(Int(Double(index) * step)))
        }
    }

    /// Creates a logarithmic axis of latencies with ticks at powers of ten, and between them if they are few.
    init(logarithmicFrom low: Double, to high: Double) {
        end = high
        let powers = (Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))).map { pow(10, Double($0)) }
        var values: [Double] = []
        for factors in [[1.0], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9]] where values.count < 3 {
            values = powers.flatMap { power in factors.map { $0 * power } }.filter { (low...high).contains($0) }
        }
        while values.count > 6 { values = values.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element) }
        ticks = values.map { ($0, Self.latency($0)) }
    }

    /// Returns the lowest of 1, 2 and 5 times a power of ten that is not below a number.
    private static func round(_ number: Double, isWhole: Bool) -> Double {
        if isWhole { return 1 }
        let power = pow(10, log10(number).rounded(.down))
        return ([1, 2, 5].first { $0 * power >= number * 0.999_999 } ?? 10) * power
    }

    /// Returns a latency without superfluous digits: `20 ms`.
    private static func latency(_ nanoseconds: Double) -> String {
        if nanoseconds == 0 { return "0" }
        if nanoseconds >= 999_999_999 { return "\(number(nanoseconds / 1e9)) s" }
        return nanoseconds >= 999_999
            ? "\(number(nanoseconds / 1e6)) ms" : "\(number(nanoseconds / 1e3)) µs"
    }

    private static func time(_ seconds: Int) -> String {
        if seconds == 0 { return "0" }
        if seconds.isMultiple(of: 3_600) { return "\(seconds / 3_600) h" }
        return seconds.isMultiple(of: 60) ? "\(seconds / 60) min" : "\(seconds) s"
    }

    /// Returns a number with at most three decimals, and with separators of thousands.
    static func number(_ value: Double) -> String {
        let thousandths = Int((value * 1_000).rounded())
        var decimals = String(1_000 + thousandths % 1_000).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        var digits = Array(String(thousandths / 1_000))
        for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
        return String(digits) + (decimals.isEmpty ? "" : ".\(decimals)")
    }
}
