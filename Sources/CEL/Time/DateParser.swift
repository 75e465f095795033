import Basics

/// The `date.parse` function, which reads a timestamp by a `DatePattern`.
///
/// The pattern must have a year, a month and a day, or a year and a day of the year. A time of day that is missing is
/// midnight. Names are English and have any case; a weekday must be that of the date. `yy` is a year from 1970 to 2069.
struct DateParser {
    private static let function = "date.parse"

    private let text: String
    private var bytes: ArraySlice<UInt8>
    private var year: Int?
    private var month: Int?
    private var day: Int?
    private var dayOfYear: Int?
    private var weekday: Int?
    private var hour = 0
    private var hourOfHalf: Int?
    private var isAfternoon: Bool?
    private var minute = 0
    private var second = 0
    private var nanoseconds = 0
    private var offset: Int64?

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - pattern: The pattern.
    ///   - offsetOfLocalTime: A closure that returns the UTC offset at seconds of local time, for a text without one.
    static func timestamp(
        _ text: String, pattern: String, offsetOfLocalTime: (Int64) -> Int64
    ) throws(CELFailure) -> CELTimestamp {
        var parser = DateParser(text)
        for piece in try DatePattern(pattern, function: function).pieces {
            switch piece {
            case .literal(let literal): try parser.read(literal)
            case .field(let letter, let count): try parser.read(letter, count)
            }
        }
        guard parser.bytes.isEmpty else { throw parser.unexpected("the end of the text") }
        return try parser.timestamp(offsetOfLocalTime)
    }

    private init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)[...]
    }

    // MARK: Reading

    private mutating func read(_ literal: String) throws(CELFailure) {
        guard bytes.starts(with: literal.utf8) else { throw unexpected(Quoting.quoted(literal)) }
        bytes = bytes.dropFirst(literal.utf8.count)
    }

    private mutating func read(_ letter: Unicode.Scalar, _ count: Int) throws(CELFailure) {
        switch (letter, count) {
        case ("y", 2):
            let value = try number(2...2, 0...99, "a year of two digits")
            year = value < 70 ? 2000 + value : 1900 + value
        case ("y", 1), ("u", 1): year = try number(1...4, 1...9999, "a year")
        case ("y", 4), ("u", 4): year = try number(4...4, 1...9999, "a year of four digits")
        case ("M", 1), ("M", 2): month = try number(count...2, 1...12, "a month from 1 to 12")
        case ("M", 3): month = try name(DatePattern.months, length: 3, "the name of a month, such as Jan") + 1
        case ("M", 4): month = try name(DatePattern.months, length: nil, "the name of a month, such as January") + 1
        case ("d", 1), ("d", 2): day = try number(count...2, 1...31, "a day from 1 to 31")
        case ("D", 1), ("D", 2), ("D", 3): dayOfYear = try number(count...3, 1...366, "a day of the year")
        case ("E", 1...3): weekday = try name(DatePattern.weekdays, length: 3, "the name of a weekday, such as Sat")
        case ("E", 4): weekday = try name(DatePattern.weekdays, length: nil, "the name of a weekday, such as Saturday")
        case ("e", 1): weekday = try number(1...1, 1...7, "a weekday from 1 to 7") % 7
        case ("H", 1), ("H", 2): hour = try number(count...2, 0...23, "an hour from 0 to 23")
        case ("h", 1), ("h", 2): hourOfHalf = try number(count...2, 1...12, "an hour from 1 to 12") % 12
        case ("a", 1): isAfternoon = try name(["AM", "PM"], length: nil, "AM or PM") == 1
        case ("m", 1), ("m", 2): minute = try number(count...2, 0...59, "a minute from 0 to 59")
        case ("s", 1), ("s", 2): second = try number(count...2, 0...59, "a second from 0 to 59")
        case ("S", 1...9):
            nanoseconds = try number(count...count, 0...999_999_999, "\(count) digits")
            for _ in count..<9 { nanoseconds *= 10 }
        case ("Z", 1...3), ("x", 2): offset = try zone(separator: nil, isShort: false, zulu: false)
        case ("X", 1): offset = try zone(separator: nil, isShort: true, zulu: true)
        case ("X", 2): offset = try zone(separator: nil, isShort: false, zulu: true)
        case ("X", 3): offset = try zone(separator: UInt8(ascii: ":"), isShort: false, zulu: true)
        case ("x", 1): offset = try zone(separator: nil, isShort: true, zulu: false)
        case ("x", 3): offset = try zone(separator: UInt8(ascii: ":"), isShort: false, zulu: false)
        default: throw DatePattern.unknown(letter, count, Self.function)
        }
    }

    /// Reads as many digits as there are, up to a maximum.
    private mutating func number(
        _ digits: ClosedRange<Int>, _ range: ClosedRange<Int>, _ expected: String
    ) throws(CELFailure) -> Int {
        let found = bytes.prefix(digits.upperBound).prefix(while: ASCII.isDigit)
        let value = found.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard digits.contains(found.count), range.contains(value) else { throw unexpected(expected) }
        bytes = bytes.dropFirst(found.count)
        return value
    }

    /// Reads one of the names, or its first letters, and returns its index.
    private mutating func name(_ names: [String], length: Int?, _ expected: String) throws(CELFailure) -> Int {
        for (index, name) in names.enumerated() {
            let wanted = name.utf8.prefix(length ?? name.utf8.count)
            let found = bytes.prefix(wanted.count)
            guard found.map(ASCII.lowercased).elementsEqual(wanted.map(ASCII.lowercased)) else { continue }
            bytes = bytes.dropFirst(wanted.count)
            return index
        }
        throw unexpected(expected)
    }

    /// Reads an offset such as `+0200`, and returns its seconds.
    private mutating func zone(separator: UInt8?, isShort: Bool, zulu: Bool) throws(CELFailure) -> Int64 {
        let example = (isShort ? "+02" : separator == nil ? "+0200" : "+02:00") + (zulu ? " or Z" : "")
        if zulu, bytes.first == UInt8(ascii: "Z") {
            bytes = bytes.dropFirst()
            return 0
        }
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            throw unexpected("an offset such as \(example)")
        }
        bytes = bytes.dropFirst()
        var seconds = 3600 * Int64(try number(2...2, 0...23, "an offset such as \(example)"))
        if let separator {
            guard bytes.first == separator else { throw unexpected("an offset such as \(example)") }
            bytes = bytes.dropFirst()
        }
        if !isShort || bytes.first.map(ASCII.isDigit) == true {
            seconds += 60 * Int64(try number(2...2, 0...59, "an offset such as \(example)"))
        }
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }

    /// Returns the failure for a text that continues with something else.
    private func unexpected(_ expected: String) -> CELFailure {
        let position = String(decoding: bytes, as: UTF8.self)
        let found = position.isEmpty ? "the end of the text" : CELValue.string(position).brief
        return .message("\(Self.function)(): expected \(expected), got \(found)")
    }

    // MARK: Result

    private func timestamp(_ offsetOfLocalTime: (Int64) -> Int64) throws(CELFailure) -> CELTimestamp {
        let date = try date()
        if let weekday, weekday != date.weekday {
            throw .message(
                "\(Self.function)(): \(date) is a \(DatePattern.weekdays[date.weekday]),"
                    + " not a \(DatePattern.weekdays[weekday])")
        }
        var hour = hour
        if let hourOfHalf {
            guard let isAfternoon else {
                throw .message(
                    "\(Self.function)(): the pattern has \"h\" without \"a\"; add \"a\" for AM or PM, or write \"H\"")
            }
            hour = hourOfHalf + (isAfternoon ? 12 : 0)
        }
        let local = Int64(date.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        let offset = offset ?? offsetOfLocalTime(local)
        guard let result = CELTimestamp(seconds: local - offset, nanoseconds: Int32(nanoseconds)) else {
            throw .message("\(Self.function)(): the time is outside of the years 1 to 9999")
        }
        return result
    }

    private func date() throws(CELFailure) -> CalendarDate {
        let missing = "the pattern must have a year, a month and a day, such as yyyy-MM-dd"
        guard let year else { throw .message("\(Self.function)(): \(missing)") }
        if let dayOfYear {
            guard dayOfYear <= (CalendarDate.isLeap(year) ? 366 : 365) else {
                throw .message("\(Self.function)(): the year \(year) has no day \(dayOfYear)")
            }
            return CalendarDate(daysSince1970: CalendarDate.daysSince1970(year: year, month: 1, day: 1) + dayOfYear - 1)
        }
        guard let month, let day else { throw .message("\(Self.function)(): \(missing)") }
        guard let date = CalendarDate(year: year, month: month, day: day) else {
            throw .message(
                "\(Self.function)(): \(DatePattern.months[month - 1]) \(year) does not have \(day) days")
        }
        return date
    }
}
