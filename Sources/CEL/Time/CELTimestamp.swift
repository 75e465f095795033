#if canImport(Glibc)
import Basics
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A point in time with nanosecond precision, from the year 1 to the year 9999.
public struct CELTimestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The range of representable seconds.
    static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// The seconds since 1970-01-01T00:00:00Z.
    public let seconds: Int64
    /// The nanoseconds after that second, from 0 to 999,999,999.
    public let nanoseconds: Int32

    /// Creates a timestamp; returns nil outside of the years 1 to 9999.
    public init?(seconds: Int64, nanoseconds: Int32 = 0) {
        guard Self.range.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else { return nil }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    private init(epoch: Void) {
        seconds = 0
        nanoseconds = 0
    }

    /// The timestamp 1970-01-01T00:00:00Z.
    public static let epoch = CELTimestamp(epoch: ())

    /// Creates a timestamp from an RFC 3339 string such as `2026-01-31T12:00:00.5Z`; returns nil if invalid or out of
    /// range.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        guard let year = Self.digits(&bytes, 4), Self.skip(&bytes, "-"), let month = Self.digits(&bytes, 2),
            Self.skip(&bytes, "-"), let day = Self.digits(&bytes, 2),
            Self.skip(&bytes, "T") || Self.skip(&bytes, "t"), let hour = Self.digits(&bytes, 2),
            Self.skip(&bytes, ":"), let minute = Self.digits(&bytes, 2), Self.skip(&bytes, ":"),
            let second = Self.digits(&bytes, 2)
        else { return nil }
        var fraction: Int32 = 0
        if Self.skip(&bytes, ".") {
            guard let read = NanosecondText.read(&bytes) else { return nil }
            fraction = read
        }
        var offset: Int64 = 0
        if !(Self.skip(&bytes, "Z") || Self.skip(&bytes, "z")) {
            let sign: Int64 = Self.skip(&bytes, "-") ? -1 : 1
            guard sign < 0 || Self.skip(&bytes, "+"), let hours = Self.digits(&bytes, 2), Self.skip(&bytes, ":"),
                let minutes = Self.digits(&bytes, 2), hours < 24, minutes < 60
            else { return nil }
            offset = sign * (hours * 3600 + minutes * 60)
        }
        guard bytes.isEmpty, (1...12).contains(month), hour < 24, minute < 60, second < 60,
            day >= 1, day <= Int64(CalendarDate.days(inMonth: Int(month), year: Int(year)))
        else { return nil }
        let days = Int64(CalendarDate.daysSince1970(year: Int(year), month: Int(month), day: Int(day)))
        self.init(seconds: days * 86_400 + hour * 3600 + minute * 60 + second - offset, nanoseconds: fraction)
    }

    /// The timestamp in RFC 3339 format, in UTC and with as many decimals as needed.
    public var description: String {
        let date = CivilTime(secondsSinceEpoch: seconds)
        var text = ""
        text += ASCII.padded(date.year, 4) + "-" + ASCII.padded(date.month, 2) + "-"
        text += ASCII.padded(date.day, 2) + "T" + ASCII.padded(date.hour, 2) + ":"
        text += ASCII.padded(date.minute, 2) + ":" + ASCII.padded(date.second, 2)
        return text + NanosecondText.fraction(nanoseconds) + "Z"
    }

    /// Returns whether the left timestamp is earlier than the right one.
    public static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// Returns the timestamp after a duration; nil if it is out of range.
    public func advanced(by duration: CELDuration) -> CELTimestamp? {
        let (seconds, part) = Self.split(duration)
        var nanoseconds = self.nanoseconds + part
        var total = self.seconds + seconds
        if nanoseconds >= 1_000_000_000 {
            nanoseconds -= 1_000_000_000
            total += 1
        }
        return CELTimestamp(seconds: total, nanoseconds: nanoseconds)
    }

    /// Returns the duration from another timestamp to this one; nil if it is out of range.
    public func since(_ other: CELTimestamp) -> CELDuration? {
        let (whole, overflow) = (seconds - other.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = whole.addingReportingOverflow(Int64(nanoseconds) - Int64(other.nanoseconds))
        return overflow || overflowOfSum ? nil : CELDuration(nanoseconds: sum)
    }

    /// Returns the seconds, rounded down, and the remaining nanoseconds.
    private static func split(_ duration: CELDuration) -> (seconds: Int64, nanoseconds: Int32) {
        let (quotient, remainder) = duration.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0
            ? (quotient - 1, Int32(remainder + 1_000_000_000)) : (quotient, Int32(remainder))
    }

    private static func digits(_ bytes: inout ArraySlice<UInt8>, _ count: Int) -> Int64? {
        guard bytes.count >= count else { return nil }
        var value: Int64 = 0
        for byte in bytes.prefix(count) {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - 0x30)
        }
        bytes = bytes.dropFirst(count)
        return value
    }

    private static func skip(_ bytes: inout ArraySlice<UInt8>, _ symbol: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: symbol) else { return false }
        bytes = bytes.dropFirst()
        return true
    }
}

extension CELTimestamp {
    /// The current time of the system clock.
    public static var now: CELTimestamp {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return .epoch }
        return CELTimestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec)) ?? .epoch
    }
}
