/// A moment in the basic format of ISO 8601, as in `20150830T123600Z`.
struct AWSTime {
    /// The day, as in `20150830`.
    let day: String
    /// The day and the time.
    let text: String

    /// Creates a moment of seconds since 1970-01-01T00:00:00Z, in the years 1 to 9999.
    init(_ date: Double) {
        let bounded = date.isFinite ? min(max(date, -62_135_596_800), 253_402_300_799) : 0
        let seconds = Int(bounded.rounded(.down))
        let days = (seconds - Self.modulo(seconds, 86400)) / 86400
        let time = Self.modulo(seconds, 86400)
        // Days since 0000-03-01: years that begin in March have their leap day at the end.
        let shifted = days + 719_468
        let era = (shifted - Self.modulo(shifted, 146_097)) / 146_097
        let dayOfEra = Self.modulo(shifted, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = Self.padded(year, 4) + Self.padded(month, 2) + Self.padded(dayOfYear - (153 * marchMonth + 2) / 5 + 1, 2)
        text =
            day + "T" + Self.padded(time / 3600, 2) + Self.padded(time / 60 % 60, 2) + Self.padded(time % 60, 2) + "Z"
    }

    private static func modulo(_ value: Int, _ divisor: Int) -> Int {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    private static func padded(_ value: Int, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
