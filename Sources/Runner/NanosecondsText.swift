/// Durations as people write them.
enum NanosecondsText {
    /// A duration with at most three significant decimals: `250 ms`, `2 s`, `1.5 s`.
    static func duration(_ nanoseconds: Int64) -> String {
        if nanoseconds < 1_000_000_000 {
            return "\(nanoseconds / 1_000_000) ms"
        }
        let milliseconds = nanoseconds / 1_000_000
        let fraction = milliseconds % 1_000
        guard fraction != 0 else { return "\(milliseconds / 1_000) s" }
        var digits = String(1_000 + fraction).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(milliseconds / 1_000).\(digits) s"
    }
}
