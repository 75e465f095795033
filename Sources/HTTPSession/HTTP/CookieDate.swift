import Basics

/// The parser of dates in cookies, which accepts the many forms that servers write (RFC 6265, section 5.1.1).
enum CookieDate {
    /// Returns the date in seconds since 1970-01-01 UTC, or nil if `text` contains no date.
    static func parse(_ text: String) -> Int64? {
        var time: (Int, Int, Int)?
        var day: Int?
        var month: Int?
        var year: Int?
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
        guard let date = CalendarDate(year: year, month: month, day: day), year >= 1601, time.0 <= 23, time.1 <= 59,
            time.2 <= 59
        else { return nil }
        return Int64(date.daysSince1970 * 86400 + time.0 * 3600 + time.1 * 60 + time.2)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func number(_ token: [UInt8], digits: ClosedRange<Int>) -> Int? {
        let leading = token.prefix(while: ASCII.isDigit)
        guard digits.contains(leading.count) else { return nil }
        return leading.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func time(_ token: [UInt8]) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(Array(parts[0]), digits: 1...2), parts[0].count <= 2,
            let minute = number(Array(parts[1]), digits: 1...2), parts[1].count <= 2,
            let second = number(Array(parts[2]), digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func month(_ token: [UInt8]) -> Int? {
        guard token.count >= 3 else { return nil }
        let name = String(decoding: token.prefix(3), as: UTF8.self)
        return CalendarDate.monthNames.firstIndex { ASCII.equalIgnoringCase($0, name) }.map { $0 + 1 }
    }
}

/// A moment in UTC in the years 1 to 9999, formatted as in ISO 8601.
struct UTCTime {
    /// Seconds since 1970-01-01T00:00:00Z.
    private let date: Double

    /// Creates a moment from seconds since 1970-01-01T00:00:00Z, clamped to the years 1 to 9999.
    init(_ date: Double) {
        self.date = date.isFinite ? min(max(date, -62_135_596_800), 253_402_300_799) : 0
    }

    /// The date in the basic format, as in `20150830`.
    var day: String { text("", "").day }

    /// The date and time in the basic format, as in `20150830T123600Z`.
    var basic: String {
        let (day, time) = text("", "")
        return day + "T" + time + "Z"
    }

    /// The date and time in the extended format with milliseconds, as in `2024-02-29T23:59:59.000Z`.
    var extended: String {
        let (day, time) = text("-", ":")
        return day + "T" + time + "." + ASCII.padded(Int((date - date.rounded(.down)) * 1000), 3) + "Z"
    }

    private func text(_ dash: String, _ colon: String) -> (day: String, time: String) {
        let (days, seconds) = CalendarDate.quotientAndRemainder(Int(date.rounded(.down)), 86400)
        let day = CalendarDate(daysSince1970: days)
        return (
            [ASCII.padded(day.year, 4), ASCII.padded(day.month, 2), ASCII.padded(day.day, 2)].joined(separator: dash),
            [seconds / 3600, seconds / 60 % 60, seconds % 60].map { ASCII.padded($0, 2) }.joined(separator: colon)
        )
    }
}
