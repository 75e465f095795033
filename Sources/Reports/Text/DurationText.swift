/// Durations as reports write them.
enum DurationText {
    /// A duration for people: `0.4 ms`, `41 ms`, `1.52 s`, `2 min 5 s`, `1 h 2 min`.
    static func text(_ nanoseconds: Int64) -> String {
        let nanoseconds = max(0, nanoseconds)
        // Each unit is chosen by what it would be rounded to, so that 999.9 ms is not written as 1000 ms.
        if nanoseconds < 9_950_000 { return fixed((nanoseconds + 50_000) / 100_000, decimals: 1) + " ms" }
        if nanoseconds < 999_500_000 { return "\((nanoseconds + 500_000) / 1_000_000) ms" }
        if nanoseconds < 59_995_000_000 {
            return fixed((nanoseconds + 5_000_000) / 10_000_000, decimals: 2) + " s"
        }
        return minutes(nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000 >= 500_000_000 ? 1 : 0))
    }

    /// A duration for a line that changes all the time: `7 s`, `2 min 5 s`.
    static func wholeSeconds(_ nanoseconds: Int64) -> String {
        let seconds = max(0, nanoseconds) / 1_000_000_000
        return seconds < 60 ? "\(seconds) s" : minutes(seconds)
    }

    private static func minutes(_ seconds: Int64) -> String {
        if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    }

    /// A duration in seconds with three decimals, never negative and without an exponent.
    static func seconds(_ nanoseconds: Int64) -> String {
        fixed((max(0, nanoseconds) / 100_000 + 5) / 10, decimals: 3)
    }

    /// A number of which the last digits are decimals.
    private static func fixed(_ value: Int64, decimals: Int) -> String {
        var unit: Int64 = 1
        for _ in 0..<decimals { unit *= 10 }
        let fraction = String(value % unit)
        return "\(value / unit)." + String(repeating: "0", count: decimals - fraction.utf8.count) + fraction
    }
}
