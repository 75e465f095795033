import Basics
import CEL
import JSON

/// A point in time, parsed from a date-time or a date.
struct Instant: Comparable, Hashable {
    /// The seconds since 1970-01-01T00:00:00Z, without leap seconds.
    var seconds: Int64
    /// The nanoseconds within the second.
    var nanoseconds: Int64

    static func < (left: Instant, right: Instant) -> Bool {
        left.seconds == right.seconds ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
    }

    /// Returns the distance between two instants in nanoseconds, or `Int64.max` on overflow.
    func distance(to other: Instant) -> Int64 {
        let (small, large) = self < other ? (self, other) : (other, self)
        let (seconds, overflow) = (large.seconds - small.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = seconds.addingReportingOverflow(large.nanoseconds - small.nanoseconds)
        return overflow || carry ? .max : sum
    }
}

extension Instant {
    /// Parses an RFC 3339 date-time, a date (midnight UTC), or an HTTP date (RFC 9110, section 5.6.7).
    init?(_ text: String) {
        if let instant = Instant(dateTime: text) ?? Instant(date: text) ?? Instant(httpDate: text) {
            self = instant
        } else {
            return nil
        }
    }

    /// Returns the reason why a value is not a point in time, as the end of a relative clause.
    static func flaw(_ value: JSONValue) -> MessageText {
        guard case .string(let text) = value else { return "is not a date or date-time" }
        return flaw(text) ?? "is not a date or date-time"
    }

    /// Returns the error in a string that resembles a date or date-time; nil for any other string.
    static func flaw(_ text: String) -> MessageText? {
        if Instant(dateTime: text + "Z") != nil || Instant(dateTime: text + ":00Z") != nil {
            return "has no UTC offset, such as Z"
        }
        var scanner = ByteScanner(text)
        guard scanner.number(digits: 4) != nil, scanner.take("-"), scanner.number(digits: 2) != nil, scanner.take("-"),
            scanner.number(digits: 2) != nil
        else { return nil }
        if Instant(date: String(text.prefix(10))) == nil { return "has a day that does not exist" }
        guard scanner.take("T") || scanner.take("t") || scanner.take(" ") else { return nil }
        guard let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2) else {
            return nil
        }
        if hour > 23 || minute > 59 { return "has a time that does not exist" }
        guard scanner.take(":") else { return "has no seconds" }
        return scanner.number(digits: 2) == 60
            ? "has a second of 60, allowed only in the last minute of a UTC day" : nil
    }

    /// Parses a date-time (RFC 3339, section 5.6).
    init?(dateTime text: String) {
        var scanner = ByteScanner(text)
        guard let day = Instant.day(&scanner), scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let time = Instant.time(&scanner)
        else { return nil }
        var nanoseconds: Int64 = 0
        if scanner.take(".") {
            var location: Int64 = 100_000_000
            var count = 0
            while let digit = scanner.digit() {
                nanoseconds += Int64(digit) * location
                location /= 10
                count += 1
            }
            guard count > 0 else { return nil }
        }
        guard let offset = Instant.offset(&scanner), scanner.isAtEnd else { return nil }
        let seconds = day * 86_400 + time.seconds - offset
        // A leap second can occur only at the end of a day in UTC.
        if time.isLeapSecond, seconds % 86_400 != 0 { return nil }
        self.init(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// Parses a full-date (RFC 3339, section 5.6) as midnight in UTC.
    init?(date text: String) {
        var scanner = ByteScanner(text)
        guard let day = Instant.day(&scanner), scanner.isAtEnd else { return nil }
        self.init(seconds: day * 86_400, nanoseconds: 0)
    }

    /// Parses the date of an HTTP header, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// The obsolete formats that recipients must accept (RFC 9110, section 5.6.7) are `Sunday, 06-Nov-94 08:49:37 GMT`
    /// and `Sun Nov  6 08:49:37 1994`. Mixed formats occur in cookies.
    init?(httpDate text: String) {
        guard text.utf8.count >= 24, text.utf8.count <= 40 else { return nil }
        var words = text.split { $0 == " " || $0 == "-" }
        guard words.count == 6 || words.count == 5 else { return nil }
        if words.count == 6 {
            guard words.removeLast() == "GMT", words[0].last == "," else { return nil }
        } else {
            // The format of C's `asctime`: weekday, month, day, time, year.
            words = [words[0], words[2], words[1], words[4], words[3]]
        }
        guard words[0].utf8.first.map(ASCII.isLetter) == true,
            let month = CalendarDate.monthNames.firstIndex(where: { $0 == words[2] }),
            words[1].utf8.allSatisfy(ASCII.isDigit), words[1].utf8.count <= 2, let dayOfMonth = Int64(words[1]),
            words[3].utf8.allSatisfy(ASCII.isDigit), var year = Int64(words[3])
        else { return nil }
        switch words[3].utf8.count {
        case 2: year += year < 70 ? 2000 : 1900
        case 4: break
        default: return nil
        }
        guard let day = Instant.day(year: year, month: Int64(month) + 1, day: dayOfMonth) else { return nil }
        var scanner = ByteScanner(String(words[4]))
        guard let time = Instant.time(&scanner), scanner.isAtEnd else { return nil }
        self.init(seconds: day * 86_400 + time.seconds, nanoseconds: 0)
    }

    private static func day(_ scanner: inout ByteScanner) -> Int64? {
        guard let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
            scanner.take("-"), let day = scanner.number(digits: 2)
        else { return nil }
        return Instant.day(year: year, month: month, day: day)
    }

    /// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar, or nil for an invalid date.
    private static func day(year: Int64, month: Int64, day: Int64) -> Int64? {
        CalendarDate(year: Int(year), month: Int(month), day: Int(day)).map { Int64($0.daysSince1970) }
    }

    /// Parses the second of the day. A value of 60 seconds is valid for a leap second.
    private static func time(_ scanner: inout ByteScanner) -> (seconds: Int64, isLeapSecond: Bool)? {
        guard let hour = scanner.number(digits: 2), hour < 24, scanner.take(":"),
            let minute = scanner.number(digits: 2), minute < 60, scanner.take(":"),
            let second = scanner.number(digits: 2), second <= 60
        else { return nil }
        return (hour * 3600 + minute * 60 + second, second == 60)
    }

    /// Parses the offset from UTC, in seconds.
    private static func offset(_ scanner: inout ByteScanner) -> Int64? {
        if scanner.take("Z") || scanner.take("z") { return 0 }
        let isNegative = scanner.take("-")
        guard isNegative || scanner.take("+"), let hours = scanner.number(digits: 2), hours < 24, scanner.take(":"),
            let minutes = scanner.number(digits: 2), minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }
}

/// A scanner that reads a short string byte by byte without copying it.
struct ByteScanner {
    private let bytes: String.UTF8View
    private var position: String.UTF8View.Index

    init(_ text: String) {
        bytes = text.utf8
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// The next byte, which is not consumed.
    var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    /// Consumes the next byte if it equals the given scalar.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == scalar.value else { return false }
        position = bytes.index(after: position)
        return true
    }

    /// Consumes the next byte if it is a decimal digit.
    mutating func digit() -> UInt8? {
        guard let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) else { return nil }
        position = bytes.index(after: position)
        return next - UInt8(ascii: "0")
    }

    /// Consumes a number with exactly the given number of digits.
    mutating func number(digits: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}

/// The parser of `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Returns the time to wait in nanoseconds, from a number of seconds or a date; nil if the value is neither.
    ///
    /// - Parameter now: The current time, in seconds since 1970-01-01T00:00:00Z.
    package static func nanoseconds(_ value: String, now: Int64 = CELTimestamp.now.seconds) -> Int64? {
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let (time, isOver) = (Int64(value) ?? .max).multipliedReportingOverflow(by: 1_000_000_000)
            return isOver ? .max : time
        }
        guard let date = Instant(httpDate: value) else { return nil }
        let now = Instant(seconds: now, nanoseconds: 0)
        return date < now ? 0 : now.distance(to: date)
    }
}
