/// Renderings of durations for people.
enum NanosecondsText {
    /// Returns a duration with at most three decimals: `250 ms`, `2 s`, `1.5 s`.
    static func duration(_ nanoseconds: Int64) -> String {
        if nanoseconds < 1_000_000_000 {
            return "\(nanoseconds / 1_000_000) ms"
        }
        return seconds(nanoseconds) + " s"
    }

    /// Returns a duration in the notation of suites: `250ms`, `1.5s`, `1m30s`, `2h`.
    static func compact(_ nanoseconds: Int64) -> String {
        if nanoseconds < 1_000_000_000 { return "\(nanoseconds / 1_000_000)ms" }
        let minute: Int64 = 60_000_000_000
        let (hours, minutes) = (nanoseconds / (60 * minute), nanoseconds / minute % 60)
        var text = hours > 0 ? "\(hours)h" : ""
        if minutes > 0 { text += "\(minutes)m" }
        let rest = nanoseconds % minute
        return rest > 0 || text.isEmpty ? text + seconds(rest) + "s" : text
    }

    private static func seconds(_ nanoseconds: Int64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        let fraction = milliseconds % 1_000
        guard fraction != 0 else { return "\(milliseconds / 1_000)" }
        var digits = String(1_000 + fraction).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(milliseconds / 1_000).\(digits)"
    }
}
