/// Dates in cookies, in the many forms that servers write (RFC 6265 section 5.1.1).
enum CookieDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Seconds since 1970-01-01 UTC, or nil if the text has no date.
    static func parse(_ text: String) -> Int64? {
        var time: (Int64, Int64, Int64)?
        var day: Int64?
        var month: Int64?
        var year: Int64?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            let token = Array(token)
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let number = number(token, digits: 1...2) {
                day = number
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let number = number(token, digits: 2...4) {
                year = number
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard (1...daysIn(month, year)).contains(day), year >= 1601, time.0 <= 23, time.1 <= 59, time.2 <= 59 else {
            return nil
        }
        return days(year, month, day) * 86400 + time.0 * 3600 + time.1 * 60 + time.2
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func number(_ token: [UInt8], digits: ClosedRange<Int>) -> Int64? {
        let leading = token.prefix { $0 >= 48 && $0 <= 57 }
        guard digits.contains(leading.count) else { return nil }
        return leading.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }

    private static func time(_ token: [UInt8]) -> (Int64, Int64, Int64)? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(Array(parts[0]), digits: 1...2), parts[0].count <= 2,
            let minute = number(Array(parts[1]), digits: 1...2), parts[1].count <= 2,
            let second = number(Array(parts[2]), digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func month(_ token: [UInt8]) -> Int64? {
        guard token.count >= 3 else { return nil }
        let name = String(decoding: token.prefix(3).map(ByteClass.lowercased), as: UTF8.self)
        return months.firstIndex(of: name).map { Int64($0) + 1 }
    }

    private static func daysIn(_ month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counting years from March so that leap days come last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146097 + dayOfEra - 719468
    }
}
