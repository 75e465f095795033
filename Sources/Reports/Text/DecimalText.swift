/// Numbers in decimal as bytes.
enum DecimalText {
    /// Appends a whole number.
    static func append(_ value: Int64, to output: inout [UInt8]) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        if rest < 10 {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest))
            return
        }
        let start = output.count
        while rest > 0 {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        output[start...].reverse()
    }

    /// Appends milliseconds with three decimals at most, never negative.
    static func append(milliseconds nanoseconds: Int64, to output: inout [UInt8]) {
        let microseconds = max(0, nanoseconds) / 1_000
        append(microseconds / 1_000, to: &output)
        let fraction = microseconds % 1_000
        guard fraction > 0 else { return }
        output.append(UInt8(ascii: "."))
        var rest = fraction
        var unit: Int64 = 100
        while rest > 0 {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }
}
