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
        // Reports of exchanges write two for each test.
        return String(unsafeUninitializedCapacity: 19) { text in
            var count = 0
            func write(_ number: Int, _ digits: Int) {
                for place in 0..<digits {
                    var digit = number
                    for _ in place + 1..<digits { digit /= 10 }
                    text.initializeElement(at: count, to: UInt8(ascii: "0") + UInt8(digit % 10))
                    count += 1
                }
            }
            func write(_ separator: Unicode.Scalar) {
                text.initializeElement(at: count, to: UInt8(ascii: separator))
                count += 1
            }
            write(year, 4)
            write("-")
            write(month, 2)
            write("-")
            write(day, 2)
            write("T")
            write(second / 3_600, 2)
            write(":")
            write(second % 3_600 / 60, 2)
            write(":")
            write(second % 60, 2)
            return count
        }
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
}
