import Basics

/// The `date.format` function, which formats a timestamp by a `DatePattern`.
enum DateFormat {
    /// Formats a timestamp at a UTC offset in seconds.
    static func text(_ timestamp: CELTimestamp, offset: Int64, pattern: String) throws(CELFailure) -> String {
        let date = CivilTime(secondsSinceEpoch: timestamp.seconds + offset)
        var text = ""
        for piece in try DatePattern(pattern, function: "date.format").pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .field(let letter, let count):
                guard let field = field(letter, count, date, timestamp, offset) else {
                    throw DatePattern.unknown(letter, count, "date.format")
                }
                text += field
            }
        }
        return text
    }

    /// Formats a field of the pattern; returns nil if it is not supported.
    private static func field(
        _ letter: Unicode.Scalar, _ count: Int, _ date: CivilTime, _ timestamp: CELTimestamp, _ offset: Int64
    ) -> String? {
        switch (letter, count) {
        case ("y", 2): ASCII.padded(date.year % 100, 2)
        case ("y", 1), ("y", 4), ("u", 1), ("u", 4): ASCII.padded(date.year, count)
        case ("M", 1), ("M", 2): ASCII.padded(date.month, count)
        case ("M", 3): String(DatePattern.months[date.month - 1].prefix(3))
        case ("M", 4): DatePattern.months[date.month - 1]
        case ("d", 1), ("d", 2): ASCII.padded(date.day, count)
        case ("D", 1), ("D", 2), ("D", 3): ASCII.padded(date.dayOfYear + 1, count)
        case ("E", 1), ("E", 2), ("E", 3): String(DatePattern.weekdays[date.weekday].prefix(3))
        case ("E", 4): DatePattern.weekdays[date.weekday]
        case ("e", 1): String(date.weekday == 0 ? 7 : date.weekday)
        case ("H", 1), ("H", 2): ASCII.padded(date.hour, count)
        case ("h", 1), ("h", 2): ASCII.padded((date.hour + 11) % 12 + 1, count)
        case ("a", 1): date.hour < 12 ? "AM" : "PM"
        case ("m", 1), ("m", 2): ASCII.padded(date.minute, count)
        case ("s", 1), ("s", 2): ASCII.padded(date.second, count)
        case ("S", 1...9): String(ASCII.padded(Int(timestamp.nanoseconds), 9).prefix(count))
        case ("Z", 1), ("Z", 2), ("Z", 3): zone(offset, separator: "", zulu: false)
        case ("X", 1): offset == 0 ? "Z" : shortZone(offset)
        case ("X", 2): zone(offset, separator: "", zulu: true)
        case ("X", 3): zone(offset, separator: ":", zulu: true)
        case ("x", 1): shortZone(offset)
        case ("x", 2): zone(offset, separator: "", zulu: false)
        case ("x", 3): zone(offset, separator: ":", zulu: false)
        default: nil
        }
    }

    private static func zone(_ offset: Int64, separator: String, zulu: Bool) -> String {
        if zulu, offset == 0 { return "Z" }
        let minutes = Int(offset.magnitude) / 60
        return (offset < 0 ? "-" : "+") + ASCII.padded(minutes / 60, 2) + separator
            + ASCII.padded(minutes % 60, 2)
    }

    private static func shortZone(_ offset: Int64) -> String {
        let minutes = Int(offset.magnitude) / 60
        let hours = (offset < 0 ? "-" : "+") + ASCII.padded(minutes / 60, 2)
        return minutes % 60 == 0 ? hours : hours + ASCII.padded(minutes % 60, 2)
    }
}
