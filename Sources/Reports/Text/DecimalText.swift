/// Numbers in decimal as bytes.
enum DecimalText {
    /// Appends a whole number.
    static func append(_ value: Int64, to output: inout [UInt8]) {
        if value >= 0, value < 10 {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = write(value.magnitude, into: digits, before: digits.count)
            if value < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Appends milliseconds with three decimals at most, never negative.
    static func append(milliseconds nanoseconds: Int64, to output: inout [UInt8]) {
        let microseconds = (max(0, nanoseconds) / 1_000).magnitude
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { digits in
            var end = digits.count
            let fraction = microseconds % 1_000
            var start = end
            if fraction > 0 {
                start = write(fraction + 1_000, into: digits, before: end)
                // The thousand, which keeps the zeros before the fraction's first digit.
                digits[start] = UInt8(ascii: ".")
                while digits[end - 1] == UInt8(ascii: "0") { end -= 1 }
            }
            start = write(microseconds / 1_000, into: digits, before: start)
            output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start..<end]))
        }
    }

    /// Appends seconds with three decimals, rounded, never negative and without an exponent.
    static func append(seconds nanoseconds: Int64, to output: inout [UInt8]) {
        let milliseconds = (max(0, nanoseconds) / 100_000 + 5) / 10
        append(milliseconds / 1_000, to: &output)
        output.append(UInt8(ascii: "."))
        append(Int(milliseconds % 1_000), digits: 3, to: &output)
    }

    /// Appends a number with a fixed number of digits.
    static func append(_ value: Int, digits count: Int, to output: inout [UInt8]) {
        var unit = 1
        for _ in 1..<max(1, count) { unit *= 10 }
        while unit > 0 {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / unit % 10))
            unit /= 10
        }
    }

    /// Writes digits that end before an index.
    ///
    /// - Returns: The index of the first.
    private static func write(
        _ value: UInt64, into digits: UnsafeMutableBufferPointer<UInt8>, before end: Int
    ) -> Int {
        var index = end
        var rest = value
        repeat {
            index -= 1
            digits[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        return index
    }
}
