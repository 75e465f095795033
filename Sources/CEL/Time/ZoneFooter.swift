/// The rule for the time after a zone's last transition, in POSIX notation such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneFooter: Sendable {
    /// A day of the year and a second of that day.
    private struct Change {
        enum Day {
            /// The day from 1 to 365, 29 February not counted.
            case julian(Int64)
            /// The day from 0 to 365.
            case zeroBased(Int64)
            /// A weekday (0 is Sunday) of a week (5 is the last) of a month.
            case weekday(month: Int64, week: Int64, weekday: Int64)
        }

        var day: Day
        var second: Int64

        /// The change's time in a year, in seconds since the epoch of local time.
        func time(inYear year: Int64) -> Int64 {
            let days: Int64
            switch day {
            case .julian(let number):
                let leap: Int64 = CivilDate.isLeap(year) && number >= 60 ? 1 : 0
                days = CivilDate.daysSinceEpoch(year: year, month: 1, day: 1) + number - 1 + leap
            case .zeroBased(let number):
                days = CivilDate.daysSinceEpoch(year: year, month: 1, day: 1) + number
            case .weekday(let month, let week, let weekday):
                let first = CivilDate.daysSinceEpoch(year: year, month: month, day: 1)
                var day = 1 + CivilDate.modulo(weekday - CivilDate.modulo(first + 4, 7), 7) + (week - 1) * 7
                let length = Int64(CivilDate.days(inMonth: Int(month), year: year))
                while day > length { day -= 7 }
                days = first + day - 1
            }
            return days * 86_400 + second
        }
    }

    private var standardOffset: Int64
    private var daylight: (offset: Int64, start: Change, end: Change)?

    /// Reads the notation; nil when it is malformed.
    init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        guard Self.skipName(&bytes), let standard = Self.time(&bytes) else { return nil }
        standardOffset = -standard
        guard !bytes.isEmpty else { return }
        guard Self.skipName(&bytes) else { return nil }
        var offset = standardOffset + 3600
        if bytes.first != UInt8(ascii: ",") {
            guard let written = Self.time(&bytes) else { return nil }
            offset = -written
        }
        guard let start = Self.change(&bytes), let end = Self.change(&bytes), bytes.isEmpty else { return nil }
        daylight = (offset, start, end)
    }

    /// The offset from UTC in seconds at a time.
    func offset(at seconds: Int64) -> Int64 {
        guard let daylight else { return standardOffset }
        let year = CivilDate(secondsSinceEpoch: seconds + standardOffset).year
        let start = daylight.start.time(inYear: year) - standardOffset
        let end = daylight.end.time(inYear: year) - daylight.offset
        let isDaylight = start < end ? (start..<end).contains(seconds) : !(end..<start).contains(seconds)
        return isDaylight ? daylight.offset : standardOffset
    }

    private static func skipName(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        if bytes.first == UInt8(ascii: "<") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return false }
            bytes = bytes[(end + 1)...]
            return true
        }
        let letters = bytes.prefix { Lexer.isIdentifierStart($0) }
        bytes = bytes.dropFirst(letters.count)
        return letters.count >= 3
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        let digits = bytes.prefix { Lexer.isDigit($0) }
        bytes = bytes.dropFirst(digits.count)
        guard (1...3).contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Reads `[+-]hh[:mm[:ss]]` in seconds.
    private static func time(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        var sign: Int64 = 1
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            sign = first == UInt8(ascii: "-") ? -1 : 1
            bytes = bytes.dropFirst()
        }
        guard let hours = number(&bytes) else { return nil }
        var seconds = hours * 3600
        for unit: Int64 in [60, 1] where bytes.first == UInt8(ascii: ":") {
            bytes = bytes.dropFirst()
            guard let part = number(&bytes) else { return nil }
            seconds += part * unit
        }
        return sign * seconds
    }

    private static func change(_ bytes: inout ArraySlice<UInt8>) -> Change? {
        guard bytes.popFirst() == UInt8(ascii: ",") else { return nil }
        let day: Change.Day
        switch bytes.first {
        case UInt8(ascii: "M"):
            bytes = bytes.dropFirst()
            guard let month = number(&bytes), bytes.popFirst() == UInt8(ascii: "."), let week = number(&bytes),
                bytes.popFirst() == UInt8(ascii: "."), let weekday = number(&bytes), (1...12).contains(month),
                (1...5).contains(week), (0...6).contains(weekday)
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        case UInt8(ascii: "J"):
            bytes = bytes.dropFirst()
            guard let number = number(&bytes) else { return nil }
            day = .julian(number)
        default:
            guard let number = number(&bytes) else { return nil }
            day = .zeroBased(number)
        }
        var second: Int64 = 7200
        if bytes.first == UInt8(ascii: "/") {
            bytes = bytes.dropFirst()
            guard let written = time(&bytes) else { return nil }
            second = written
        }
        return Change(day: day, second: second)
    }
}
