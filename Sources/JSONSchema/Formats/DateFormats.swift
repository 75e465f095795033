import Basics

/// The formats of dates and times (RFC 3339, section 5.6).
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

    /// Consumes a `full-date`.
    private static func takeDate(_ cursor: inout ByteCursor) -> Bool {
        guard let year = cursor.number(digits: 4), cursor.take("-"),
            let month = cursor.number(digits: 2), cursor.take("-"),
            let day = cursor.number(digits: 2)
        else { return false }
        return CalendarDate(year: year, month: month, day: day) != nil
    }

    /// Consumes a `full-time`. A second of 60 is valid only at the end of a day in UTC, as a leap second.
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

    /// Consumes a `time-offset` and returns it in minutes.
    private static func takeOffset(_ cursor: inout ByteCursor) -> Int? {
        if cursor.takeLetter("Z") { return 0 }
        let isNegative = cursor.take("-")
        guard isNegative || cursor.take("+"), let hours = cursor.number(digits: 2), hours < 24, cursor.take(":"),
            let minutes = cursor.number(digits: 2), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }
}

/// The format of durations (RFC 3339, appendix A): descending units without gaps.
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

    /// Consumes a `dur-time`.
    private static func takeTime(_ cursor: inout ByteCursor) -> Bool {
        guard cursor.take("T"), cursor.skipDigits() > 0 else { return false }
        return takeUnits(&cursor, ["H", "M", "S"])
    }

    /// Consumes the unit of the preceding digits and all units that directly follow it in the array.
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
