/// Points in time as reports write them.
enum Timestamp {
    /// A point in time in UTC as `YYYY-MM-DDTHH:MM:SS`, without a zone.
    ///
    /// - Parameter seconds: Seconds since 1970-01-01T00:00:00Z.
    static func text(_ seconds: Double) -> String {
        // Years 1970 to 9999; anything else is a clock that is not set.
        let clamped = seconds.isFinite ? min(max(0, seconds), 253_402_300_799) : 0
        let total = Int(clamped)
        let (year, month, day) = date(daysSince1970: total / 86_400)
        let second = total % 86_400
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(second / 3_600, 2) + ":"
            + padded(second % 3_600 / 60, 2) + ":" + padded(second % 60, 2)
    }

    /// The date in the proleptic Gregorian calendar, for days from 0 on.
    private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        // Counted from 0000-03-01, so that the leap day is a year's last.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
