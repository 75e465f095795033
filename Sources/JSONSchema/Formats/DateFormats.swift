import Basics

/// Dates and times of RFC 3339, section 5.6.
enum DateFormats {
    static func isDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = ByteCursor(bytes)
        return takeDate(&cursor) && cursor.isAtEnd
    }

    static func isTime(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = ByteCursor(bytes)
        return takeTime(&cursor) && cursor.isAtEnd
    }

    static func isDateTime(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = ByteCursor(bytes)
        return takeDate(&cursor) && cursor.takeLetter("T") && takeTime(&cursor) && cursor.isAtEnd
    }

    /// full-date
    private static func takeDate(_ cursor: inout ByteCursor) -> Bool {
        guard let year = cursor.number(digits: 4), cursor.take("-"),
            let month = cursor.number(digits: 2), cursor.take("-"),
            let day = cursor.number(digits: 2)
        else { return false }
        return CalendarDate(year: year, month: month, day: day) != nil
    }

    /// full-time; a second of 60 only where a leap second can be, at the end of a day in UTC.
    private static func takeTime(_ cursor: inout ByteCursor) -> Bool {
        guard let hour = cursor.number(digits: 2), hour < 24, cursor.take(":"),
            let minute = cursor.number(digits: 2), minute < 60, cursor.take(":"),
            let second = cursor.number(digits: 2), second <= 60
        else { return false }
        if cursor.take("."), cursor.skipDigits() == 0 { return false }
        guard let offset = takeOffset(&cursor) else { return false }
        if second < 60 { return true }
        let minuteOfDay = (hour * 60 + minute - offset + 2 * 1440) % 1440
        return minuteOfDay == 1439
    }

    /// time-offset, in minutes
    private static func takeOffset(_ cursor: inout ByteCursor) -> Int? {
        if cursor.takeLetter("Z") { return 0 }
        let isNegative = cursor.take("-")
        guard isNegative || cursor.take("+"), let hours = cursor.number(digits: 2), hours < 24, cursor.take(":"),
            let minutes = cursor.number(digits: 2), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }
}

/// Durations of RFC 3339, appendix A: units from large to small with none left out between two that are there.
enum DurationFormat {
    static func isDuration(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = ByteCursor(bytes)
        guard cursor.take("P") else { return false }
        guard let next = cursor.next else { return false }
        if next == UInt8(ascii: "T") { return takeTime(&cursor) && cursor.isAtEnd }
        guard cursor.skipDigits() > 0 else { return false }
        if cursor.take("W") { return cursor.isAtEnd }
        guard takeUnits(&cursor, ["Y", "M", "D"]) else { return false }
        if cursor.isAtEnd { return true }
        return takeTime(&cursor) && cursor.isAtEnd
    }

    /// dur-time
    private static func takeTime(_ cursor: inout ByteCursor) -> Bool {
        guard cursor.take("T"), cursor.skipDigits() > 0 else { return false }
        return takeUnits(&cursor, ["H", "M", "S"])
    }

    /// The unit of the digits just taken, with any that follow it directly in the list.
    private static func takeUnits(_ cursor: inout ByteCursor, _ units: [Unicode.Scalar]) -> Bool {
        guard var index = units.firstIndex(where: { cursor.take($0) }) else { return false }
        while let next = cursor.next, ASCII.isDigit(next) {
            _ = cursor.skipDigits()
            index += 1
            guard index < units.count, cursor.take(units[index]) else { return false }
        }
        return true
    }
}
