import Basics

/// The `date.format` function, which formats a timestamp by a pattern (Unicode Technical Standard #35).
///
/// - `yyyy`: year; `yy`: its last two digits.
/// - `M`, `MM`: month; `MMM`, `MMMM`: its English name.
/// - `d`, `dd`: day of the month; `D`, `DDD`: day of the year.
/// - `EEE`, `EEEE`: English name of the weekday; `e`: its number, starting with 1 for Monday.
/// - `H`, `HH`: hour; `h`, `hh`: hour from 1 to 12; `a`: AM or PM.
/// - `m`, `mm`: minute; `s`, `ss`: second; `S…`: fraction with that number of digits.
/// - `Z`: offset such as +0200; `xxx`: +02:00; `XXX`: +02:00, or Z for UTC; `X`: +02, or Z for UTC.
///
/// Text in single quotes and characters other than letters are copied.
enum DateFormat {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// Formats a timestamp at a UTC offset in seconds.
    static func text(_ timestamp: CELTimestamp, offset: Int64, pattern: String) throws(CELFailure) -> String {
        let date = CivilTime(secondsSinceEpoch: timestamp.seconds + offset)
        let symbols = Array(pattern.unicodeScalars)
        var text = ""
        var position = 0
        while position < symbols.count {
            let symbol = symbols[position]
            if symbol == "'" {
                try quoted(symbols, &position, into: &text)
                continue
            }
            guard symbol.isASCII, symbol.properties.isAlphabetic else {
                text.unicodeScalars.append(symbol)
                position += 1
                continue
            }
            var count = 1
            while position + count < symbols.count, symbols[position + count] == symbol { count += 1 }
            position += count
            guard let field = field(symbol, count, date, timestamp, offset) else {
                throw .message(
                    "date.format(): unknown field \(String(repeating: String(symbol), count: min(count, 20))) in the pattern;"
                        + " enclose literal text in single quotes")
            }
            text += field
        }
        return text
    }

    /// Copies text in single quotes, or a literal quote.
    private static func quoted(
        _ symbols: [Unicode.Scalar], _ position: inout Int, into text: inout String
    ) throws(CELFailure) {
        position += 1
        if position < symbols.count, symbols[position] == "'" {
            text += "'"
            position += 1
            return
        }
        while position < symbols.count {
            if symbols[position] == "'" {
                position += 1
                guard position < symbols.count, symbols[position] == "'" else { return }
            }
            text.unicodeScalars.append(symbols[position])
            position += 1
        }
        throw .message("date.format(): unmatched single quote in the pattern")
    }

    /// Formats a field of the pattern; returns nil if it is not supported.
    private static func field(
        _ letter: Unicode.Scalar, _ count: Int, _ date: CivilTime, _ timestamp: CELTimestamp, _ offset: Int64
    ) -> String? {
        switch (letter, count) {
        case ("y", 2): ASCII.padded(date.year % 100, 2)
        case ("y", 1), ("y", 4), ("u", 1), ("u", 4): ASCII.padded(date.year, count)
        case ("M", 1), ("M", 2): ASCII.padded(date.month, count)
        case ("M", 3): String(months[date.month - 1].prefix(3))
        case ("M", 4): months[date.month - 1]
        case ("d", 1), ("d", 2): ASCII.padded(date.day, count)
        case ("D", 1), ("D", 2), ("D", 3): ASCII.padded(date.dayOfYear + 1, count)
        case ("E", 1), ("E", 2), ("E", 3): String(weekdays[date.weekday].prefix(3))
        case ("E", 4): weekdays[date.weekday]
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
