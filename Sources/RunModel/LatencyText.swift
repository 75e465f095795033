/// Formatting of latencies with three significant digits.
package enum LatencyText {
    /// Returns a latency in readable units: `412 µs`, `1.23 ms`, `2.05 s`.
    package static func text(_ nanoseconds: Int64) -> String {
        let units: [(name: String, factor: Double)] = [("µs", 1e3), ("ms", 1e6), ("s", 1e9)]
        // The next unit, if rounding to three digits reaches it.
        let unit = units.first { Double(nanoseconds) / $0.factor < 999.5 } ?? units[2]
        let value = Double(max(0, nanoseconds)) / unit.factor
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return "\(fixed(value, decimals: decimals)) \(unit.name)"
    }

    private static func fixed(_ value: Double, decimals: Int) -> String {
        let scale = [1, 10, 100][decimals]
        let number = Int((value * Double(scale)).rounded())
        if decimals == 0 { return String(number) }
        let digits = String(scale + number % scale).dropFirst()
        return "\(number / scale).\(digits)"
    }
}
