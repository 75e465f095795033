import Basics

/// Formatting of numbers as decimal ASCII bytes.
package enum DecimalText {
    /// Appends an integer.
    @inlinable package static func append(_ value: Int64, to output: inout (some ByteSink & ~Copyable)) {
        output.append(maximum: 20) { write(value, at: $0) }
    }

    /// Writes an integer in at most 20 bytes.
    ///
    /// - Returns: The number of bytes written.
    package static func write(_ value: Int64, at start: UnsafeMutablePointer<UInt8>) -> Int {
        if value >= 0 { return write(value.magnitude, at: start) }
        start.pointee = UInt8(ascii: "-")
        return 1 &+ write(value.magnitude, at: start + 1)
    }

    /// Appends a duration in milliseconds with up to three decimals.
    ///
    /// A negative duration is appended as zero.
    @inlinable package static func append(milliseconds nanoseconds: Int64, to output: inout (some ByteSink & ~Copyable))
    {
        output.append(maximum: 24) { write(milliseconds: nanoseconds, at: $0) }
    }

    /// Writes a duration in milliseconds with up to three decimals, in at most 24 bytes.
    ///
    /// A negative duration is written as zero.
    ///
    /// - Returns: The number of bytes written.
    package static func write(milliseconds nanoseconds: Int64, at start: UnsafeMutablePointer<UInt8>) -> Int {
        let microseconds = (max(0, nanoseconds) / 1_000).magnitude
        var count = write(microseconds / 1_000, at: start)
        let fraction = microseconds % 1_000
        guard fraction > 0 else { return count }
        start[count] = UInt8(ascii: ".")
        write(fraction, digits: 3, at: start + count + 1)
        count &+= 4
        while start[count &- 1] == UInt8(ascii: "0") { count &-= 1 }
        return count
    }

    /// Appends a duration in seconds, rounded to three decimals and without an exponent.
    ///
    /// A negative duration is appended as zero.
    @inlinable package static func append(seconds nanoseconds: Int64, to output: inout (some ByteSink & ~Copyable)) {
        output.append(maximum: 24) { write(seconds: nanoseconds, at: $0) }
    }

    /// Writes a duration in seconds, rounded to three decimals and without an exponent, in at most 24 bytes.
    ///
    /// A negative duration is written as zero.
    ///
    /// - Returns: The number of bytes written.
    package static func write(seconds nanoseconds: Int64, at start: UnsafeMutablePointer<UInt8>) -> Int {
        let milliseconds = ((max(0, nanoseconds) / 100_000 + 5) / 10).magnitude
        let count = write(milliseconds / 1_000, at: start)
        start[count] = UInt8(ascii: ".")
        write(milliseconds % 1_000, digits: 3, at: start + count + 1)
        return count &+ 4
    }

    /// Writes a number with a fixed number of digits.
    package static func write(_ value: UInt64, digits count: Int, at start: UnsafeMutablePointer<UInt8>) {
        var rest = value
        var index = count
        while index >= 2 {
            index &-= 2
            // Two digits at a time: dividing by 100 costs as much as dividing by 10.
            write(pair: UInt32(truncatingIfNeeded: rest % 100), at: start + index)
            rest /= 100
        }
        if index == 1 { start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10) }
    }

    /// Writes a number below 100 with two digits.
    @inline(__always)
    private static func write(pair value: UInt32, at start: UnsafeMutablePointer<UInt8>) {
        let tens = (value &* 205) &>> 11
        start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens)
        start[1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value &- tens &* 10)
    }

    /// Writes a number below 10,000 with four digits.
    @inline(__always)
    private static func write(four value: UInt32, at start: UnsafeMutablePointer<UInt8>) {
        let hundreds = value / 100
        write(pair: hundreds, at: start)
        write(pair: value &- hundreds &* 100, at: start + 2)
    }

    private static func write(_ value: UInt64, at start: UnsafeMutablePointer<UInt8>) -> Int {
        // Most numbers are line numbers, counts, status codes, or milliseconds.
        if value < 10_000 { return write(short: UInt32(truncatingIfNeeded: value), at: start) }
        if value < 100_000_000 {
            let (high, low) = UInt32(truncatingIfNeeded: value).quotientAndRemainder(dividingBy: 10_000)
            let count = write(short: high, at: start)
            write(four: low, at: start + count)
            return count &+ 4
        }
        let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
        let count = write(high, at: start)
        let (first, second) = UInt32(truncatingIfNeeded: low).quotientAndRemainder(dividingBy: 10_000)
        write(four: first, at: start + count)
        write(four: second, at: start + count + 4)
        return count &+ 8
    }

    /// Writes a number below 10,000.
    @inline(__always)
    private static func write(short value: UInt32, at start: UnsafeMutablePointer<UInt8>) -> Int {
        if value < 10 {
            start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
            return 1
        }
        if value < 100 {
            write(pair: value, at: start)
            return 2
        }
        if value < 1_000 {
            let hundreds = value / 100
            start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: hundreds)
            write(pair: value &- hundreds &* 100, at: start + 1)
            return 3
        }
        write(four: value, at: start)
        return 4
    }
}

/// Formatting of counts, sizes, and rates in reports.
package enum NumberText {
    /// Returns a count with its noun, such as `1 test` or `2 tests`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns a size in powers of 1,000, such as `61 B`, `1.2 KB`, or `34 MB`.
    package static func size(_ bytes: Int) -> String {
        if bytes < 1_000 { return "\(bytes) B" }
        var unit = 1_000
        var name = "KB"
        for next in ["MB", "GB", "TB"] where bytes / unit >= 1_000 {
            unit *= 1_000
            name = next
        }
        let tenths = bytes / (unit / 10)
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(name)" : "\(bytes / unit) \(name)"
    }

    /// Returns a rate per second, with one decimal below 100, or `nil` if no time has passed.
    package static func rate(_ number: Int, nanoseconds: Int64) -> String? {
        guard nanoseconds > 0, number > 0 else { return nil }
        let rate = Double(number) * 1e9 / Double(nanoseconds)
        guard rate < 1e12 else { return nil }
        if rate >= 99.95 { return String(Int64(rate.rounded())) }
        let tenths = Int64((rate * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Formatting of durations in reports.
package enum DurationText {
    /// Returns a duration in readable units, such as `0.4 ms`, `41 ms`, `1.52 s`, `2 min 5 s`, or `1 h 2 min`.
    package static func text(_ nanoseconds: Int64) -> String {
        let nanoseconds = max(0, nanoseconds)
        // Each unit is chosen by the rounded value, which keeps 999.9 ms from being written as 1000 ms.
        if nanoseconds < 9_950_000 { return fixed((nanoseconds + 50_000) / 100_000, decimals: 1) + " ms" }
        if nanoseconds < 999_500_000 { return "\((nanoseconds + 500_000) / 1_000_000) ms" }
        if nanoseconds < 59_995_000_000 {
            return fixed((nanoseconds + 5_000_000) / 10_000_000, decimals: 2) + " s"
        }
        return minutes(nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000 >= 500_000_000 ? 1 : 0))
    }

    /// Returns a duration in whole seconds, such as `7 s` or `2 min 5 s`, for a line that is updated continuously.
    package static func wholeSeconds(_ nanoseconds: Int64) -> String {
        let seconds = max(0, nanoseconds) / 1_000_000_000
        return seconds < 60 ? "\(seconds) s" : minutes(seconds)
    }

    private static func minutes(_ seconds: Int64) -> String {
        if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    }

    /// Returns a duration in seconds with three decimals and without an exponent.
    ///
    /// A negative duration is returned as zero.
    package static func seconds(_ nanoseconds: Int64) -> String {
        fixed((max(0, nanoseconds) / 100_000 + 5) / 10, decimals: 3)
    }

    /// Returns a fixed-point number whose last digits are the decimals.
    private static func fixed(_ value: Int64, decimals: Int) -> String {
        var unit: Int64 = 1
        for _ in 0..<decimals { unit *= 10 }
        return "\(value / unit)." + ASCII.padded(Int(value % unit), decimals)
    }
}
