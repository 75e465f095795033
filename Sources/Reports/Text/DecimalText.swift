/// Numbers in decimal as bytes.
enum DecimalText {
    /// Appends a whole number.
    @inline(__always)
    static func append(_ value: Int64, to output: inout (some ByteSink & ~Copyable)) {
        output.append(most: 20) { write(value, at: $0) }
    }

    /// Writes a whole number, which takes at most 20 bytes.
    ///
    /// - Returns: The number of bytes.
    static func write(_ value: Int64, at start: UnsafeMutablePointer<UInt8>) -> Int {
        if value >= 0 { return write(value.magnitude, at: start) }
        start.pointee = UInt8(ascii: "-")
        return 1 &+ write(value.magnitude, at: start + 1)
    }

    /// Appends milliseconds with three decimals at most, never negative.
    static func append(milliseconds nanoseconds: Int64, to output: inout (some ByteSink & ~Copyable)) {
        output.append(most: 24) { write(milliseconds: nanoseconds, at: $0) }
    }

    /// Writes milliseconds with three decimals at most, never negative, which take at most 24 bytes.
    ///
    /// - Returns: The number of bytes.
    static func write(milliseconds nanoseconds: Int64, at start: UnsafeMutablePointer<UInt8>) -> Int {
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

    /// Appends seconds with three decimals, rounded, never negative and without an exponent.
    static func append(seconds nanoseconds: Int64, to output: inout (some ByteSink & ~Copyable)) {
        output.append(most: 24) { write(seconds: nanoseconds, at: $0) }
    }

    /// Writes seconds with three decimals, rounded, never negative and without an exponent, in at most 24 bytes.
    ///
    /// - Returns: The number of bytes.
    static func write(seconds nanoseconds: Int64, at start: UnsafeMutablePointer<UInt8>) -> Int {
        let milliseconds = ((max(0, nanoseconds) / 100_000 + 5) / 10).magnitude
        let count = write(milliseconds / 1_000, at: start)
        start[count] = UInt8(ascii: ".")
        write(milliseconds % 1_000, digits: 3, at: start + count + 1)
        return count &+ 4
    }

    /// Writes a number with a fixed number of digits.
    static func write(_ value: UInt64, digits count: Int, at start: UnsafeMutablePointer<UInt8>) {
        var rest = value
        var index = count
        while index >= 2 {
            index &-= 2
            // Two digits at a time: a division by a hundred costs as much as one by ten.
            let pair = UInt32(truncatingIfNeeded: rest % 100)
            rest /= 100
            let tens = (pair &* 205) &>> 11
            start[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens)
            start[index &+ 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair &- tens &* 10)
        }
        if index == 1 { start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10) }
    }

    private static func write(_ value: UInt64, at start: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 1
        var bound: UInt64 = 10
        // The largest number has 20 digits, of which the bound can have no more.
        while value >= bound, count < 20 {
            count &+= 1
            bound = count < 20 ? bound &* 10 : .max
        }
        write(value, digits: count, at: start)
        return count
    }
}
