/// A date in the proleptic Gregorian calendar.
package struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let year: Int
    /// The month, from 1 to 12.
    package let month: Int
    /// The day of the month, from 1 to 31.
    package let day: Int

    /// The abbreviated names of the months in HTTP dates (RFC 9110, section 5.6.7).
    package static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// The abbreviated names of the weekdays in HTTP dates, starting with Sunday.
    package static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// Creates a date; nil if it does not exist in the calendar.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a date from a `full-date` (RFC 3339, section 5.6), such as `2026-11-22`; nil for any other string.
    package init?(fullDate text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ digits: Range<Int>) -> Int? {
            bytes[digits].reduce(0) { value, digit in
                value.flatMap { ASCII.isDigit(digit) ? $0 * 10 + Int(digit - UInt8(ascii: "0")) : nil }
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The date as a `full-date`, such as `2026-11-22`.
    package var description: String { "\(ASCII.padded(year, 4))-\(ASCII.padded(month, 2))-\(ASCII.padded(day, 2))" }

    /// Creates a date from a number of days since 1970-01-01.
    package init(daysSince1970 days: Int) {
        // Count from 0000-03-01 in eras of 400 years, so that a leap day is the last day of its year.
        let (era, dayOfEra) = Self.quotientAndRemainder(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01.
    package var daysSince1970: Int { Self.daysSince1970(year: year, month: month, day: day) }

    /// The day of the week, from 0 for Sunday.
    package var weekday: Int { Self.quotientAndRemainder(daysSince1970 + 4, 7).remainder }

    /// Returns the number of days since 1970-01-01; a day past the end of the month continues into the next.
    ///
    /// The month must be from 1 to 12.
    package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let (era, yearOfEra) = quotientAndRemainder(month <= 2 ? year - 1 : year, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns whether a year is a leap year.
    package static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// Returns the number of days of a month from 1 to 12.
    package static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the quotient rounded down, and the remainder, which is never negative for a positive divisor.
    package static func quotientAndRemainder(_ value: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
