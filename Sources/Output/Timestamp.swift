import Basics

/// Formatting of points in time in reports.
package enum Timestamp {
    /// Returns a point in time in UTC as `YYYY-MM-DDTHH:MM:SS`, without a time zone.
    ///
    /// - Parameter seconds: Seconds since 1970-01-01T00:00:00Z.
    package static func text(_ seconds: Double) -> String {
        // Years 1970 to 9999. A value outside this range comes from a clock that is not set.
        let clamped = seconds.isFinite ? min(max(0, seconds), 253_402_300_799) : 0
        let total = Int(clamped)
        let date = CalendarDate(daysSince1970: total / 86_400)
        let second = total % 86_400
        // Written byte by byte for speed: reports of exchanges write two timestamps per test.
        return String(unsafeUninitializedCapacity: 19) { text in
            var count = 0
            func write(_ number: Int, _ digits: Int) {
                for location in 0..<digits {
                    var digit = number
                    for _ in location + 1..<digits { digit /= 10 }
                    text.initializeElement(at: count, to: UInt8(ascii: "0") + UInt8(digit % 10))
                    count += 1
                }
            }
            func write(_ separator: Unicode.Scalar) {
                text.initializeElement(at: count, to: UInt8(ascii: separator))
                count += 1
            }
            write(date.year, 4)
            write("-")
            write(date.month, 2)
            write("-")
            write(date.day, 2)
            write("T")
            write(second / 3_600, 2)
            write(":")
            write(second % 3_600 / 60, 2)
            write(":")
            write(second % 60, 2)
            return count
        }
    }
}

/// A writer of UTC timestamps as `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339).
///
/// The formatted second is cached because most timestamps are in the same second as the previous one.
package struct TimeText {
    private var second = Int64.min
    /// The cached text of the second.
    private var text: [UInt8] = []

    /// Creates a writer with an empty cache.
    package init() {}

    /// Appends a timestamp.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z, not negative.
    @inlinable package mutating func append(_ milliseconds: Int64, to output: inout (some ByteSink & ~Copyable)) {
        output.append(upTo: Self.count) { write(milliseconds, into: &$0) }
    }

    /// The number of bytes of a timestamp.
    package static let count = 24

    /// Writes a timestamp.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z, not negative.
    package mutating func write(_ milliseconds: Int64, into output: inout ByteWriter) {
        let second = milliseconds / 1_000
        if second != self.second {
            self.second = second
            text = Array(Timestamp.text(Double(second)).utf8)
        }
        output.write(text)
        output.write(".")
        output.write((milliseconds % 1_000).magnitude, digits: 3)
        output.write("Z")
    }
}
