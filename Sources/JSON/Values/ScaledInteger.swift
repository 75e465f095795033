/// The number `value` × 10^-`scale`, with the trailing zeros that it was written with: 1.50 is 150 with scale 2.
struct ScaledInteger: Sendable {
    /// The most digits after the decimal point.
    static let largestScale = 36
    /// Up to this scale the power of ten fits 64 bits.
    private static let largestWordScale = 19

    let value: Int64
    /// How many digits follow the decimal point; 0 for an integer.
    let scale: UInt8

    /// 10^`exponent` for an exponent up to 19.
    @inline(__always)
    private static func power(_ exponent: Int) -> UInt64 {
        var result: UInt64 = 1
        for _ in 0..<exponent { result &*= 10 }
        return result
    }

    /// The value as an integer when it is one.
    var integer: Int64? {
        if scale == 0 || value == 0 { return value }
        guard scale < 19 else { return nil }
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: Int64(ScaledInteger.power(Int(scale))))
        return remainder == 0 ? quotient : nil
    }

    /// The same number with the fewest digits after the decimal point.
    var reduced: ScaledInteger {
        var value = value
        var scale = scale
        if value == 0 { return ScaledInteger(value: 0, scale: 0) }
        while scale > 0 {
            let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { break }
            value = quotient
            scale -= 1
        }
        return ScaledInteger(value: value, scale: scale)
    }

    /// Negative, zero or positive as `left` is less than, equal to or greater than `right`.
    static func compare(_ left: ScaledInteger, _ right: ScaledInteger) -> Int {
        if left.scale == right.scale { return left.value < right.value ? -1 : left.value == right.value ? 0 : 1 }
        if left.scale > right.scale { return -compare(right, left) }
        let difference = Int(right.scale - left.scale)
        // Beyond that the product might not fit 128 bits; but then it is larger than any 64-bit integer.
        guard difference <= 18 else {
            return Int(left.value == 0 ? -right.value.signum() : left.value.signum())
        }
        let scaled = Int128(left.value) * Int128(ScaledInteger.power(difference))
        let other = Int128(right.value)
        return scaled < other ? -1 : scaled == other ? 0 : 1
    }

    /// The nearest `Double`, exactly rounded; nil when that takes more than a division of 128 by 64 bits.
    var double: Double? {
        if scale == 0 { return Double(value) }
        if value == 0 { return 0 }
        guard scale <= ScaledInteger.largestWordScale else { return nil }
        let magnitude = value.magnitude
        let divisor = ScaledInteger.power(Int(scale))
        // Both moved up to bit 63, so that the quotient has 63 or 64 bits.
        let dividendShift = magnitude.leadingZeroBitCount
        let divisorShift = divisor.leadingZeroBitCount
        let dividend = magnitude << UInt64(dividendShift)
        let (quotient, remainder) = (divisor << UInt64(divisorShift)).dividingFullWidth((dividend >> 1, dividend << 63))
        // Of the bits that are rounded off, it only matters whether they are more, less or exactly a half.
        let significand = Double(remainder == 0 ? quotient : quotient | 1)
        let exponent = divisorShift - dividendShift - 63
        let power = Double(bitPattern: UInt64(1023 + exponent) << 52)
        return value < 0 ? -(significand * power) : significand * power
    }

    /// Appends the literal to `output`.
    func write(into output: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 48) { digits in
            // From the last digit to the first, and as many as it takes to have one before the decimal point.
            var rest = value.magnitude
            var start = digits.count
            var written = 0
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
                written += 1
                if written == Int(scale) {
                    start -= 1
                    digits[start] = UInt8(ascii: ".")
                }
            } while rest != 0 || written <= Int(scale)
            if value < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// The literal.
    var literal: String {
        if scale == 0 { return String(value) }
        var text: [UInt8] = []
        text.reserveCapacity(24)
        write(into: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
