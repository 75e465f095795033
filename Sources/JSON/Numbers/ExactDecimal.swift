/// A decomposed decimal number: ± digits × 10^exponent, without leading or trailing zeros; zero has no digits.
///
/// No operation writes out zeros for an exponent beyond a fixed bound, so `1e999999999` costs no more than `1`.
struct ExactDecimal {
    /// The maximum absolute exponent; RFC 8259, section 6 allows implementations to limit the range.
    static let maximumExponent = 1_000_000_000_000_000_000
    /// The maximum difference in orders of magnitude between two terms for which their sum is exact.
    static let maximumAlignment = 4096

    var isNegative: Bool
    /// The significant digits as values from 0 to 9, most significant first.
    var digits: [UInt8]
    /// The power of ten of the last digit.
    var exponent: Int

    /// The position of the decimal point counted from the first digit; comparing it compares orders of magnitude.
    var magnitude: Int { exponent + digits.count }

    var isZero: Bool { digits.isEmpty }

    init(isNegative: Bool, digits: [UInt8], exponent: Int) {
        var digits = digits
        var exponent = exponent
        while let last = digits.last, last == 0 {
            digits.removeLast()
            exponent += 1
        }
        if let firstDigit = digits.firstIndex(where: { $0 != 0 }) {
            if firstDigit > 0 { digits.removeFirst(firstDigit) }
        }
        let limit = ExactDecimal.maximumExponent
        self.isNegative = isNegative && !digits.isEmpty
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : Swift.max(-limit, Swift.min(limit, exponent))
    }

    init(_ value: Int64) {
        self.init(literal: String(value))
    }

    /// Creates a decimal from a literal that follows the number grammar of RFC 8259.
    init(literal: String) {
        var isNegative = false
        var digits: [UInt8] = []
        digits.reserveCapacity(literal.utf8.count)
        var fractionDigits = 0
        var isInFraction = false
        var isInExponent = false
        var exponentIsNegative = false
        var exponent = 0
        for byte in literal.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                if isInExponent { exponentIsNegative = true } else { isNegative = true }
            case UInt8(ascii: "."):
                isInFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                isInExponent = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = byte - UInt8(ascii: "0")
                if isInExponent {
                    // Beyond the maximum, the digits do not matter: the exponent is clamped below.
                    exponent = Swift.min(exponent, ExactDecimal.maximumExponent / 10) * 10 + Int(digit)
                } else {
                    digits.append(digit)
                    if isInFraction { fractionDigits += 1 }
                }
            default:
                break
            }
        }
        exponent = Swift.min(exponent, ExactDecimal.maximumExponent)
        self.init(
            isNegative: isNegative, digits: digits,
            exponent: (exponentIsNegative ? -exponent : exponent) - fractionDigits)
    }

    /// The magnitude, if it is an integer in range.
    var unsignedMagnitude: UInt64? {
        guard exponent >= 0, magnitude <= 20 else { return nil }
        var result: UInt64 = 0
        for index in 0..<magnitude {
            let digit = index < digits.count ? UInt64(digits[index]) : 0
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            result = sum
        }
        return result
    }

    /// The signed digits as a 64-bit integer, if they fit.
    var significand: Int64? {
        ExactDecimal(isNegative: isNegative, digits: digits, exponent: 0).int64
    }

    /// The value as a signed 64-bit integer, if it is exactly one.
    var int64: Int64? {
        guard let magnitude = unsignedMagnitude else { return nil }
        if !isNegative { return Int64(exactly: magnitude) }
        return magnitude == 1 << 63 ? Int64.min : Int64(exactly: magnitude).map { -$0 }
    }

    /// Returns a negative number, zero or a positive number if |left| is less than, equal to or greater than |right|.
    static func compareMagnitudes(_ left: ExactDecimal, _ right: ExactDecimal) -> Int {
        if left.isZero || right.isZero { return (left.isZero ? 0 : 1) - (right.isZero ? 0 : 1) }
        if left.magnitude != right.magnitude { return left.magnitude < right.magnitude ? -1 : 1 }
        for (leftDigit, rightDigit) in zip(left.digits, right.digits) where leftDigit != rightDigit {
            return leftDigit < rightDigit ? -1 : 1
        }
        return left.digits.count - right.digits.count
    }

    /// Returns a negative number, zero or a positive number if `left` is less than, equal to or greater than `right`.
    static func compare(_ left: ExactDecimal, _ right: ExactDecimal) -> Int {
        if left.isNegative != right.isNegative { return left.isNegative ? -1 : 1 }
        let order = compareMagnitudes(left, right)
        return left.isNegative ? -order : order
    }

    /// Returns the sum, which is exact unless the terms are more than `maximumAlignment` orders apart: then the larger
    /// term.
    static func add(_ left: ExactDecimal, _ right: ExactDecimal) -> ExactDecimal {
        if left.isZero { return right }
        if right.isZero { return left }
        let order = compareMagnitudes(left, right)
        let (large, small) = order >= 0 ? (left, right) : (right, left)
        if large.magnitude - small.magnitude > maximumAlignment + large.digits.count { return large }
        let exponent = Swift.min(large.exponent, small.exponent)
        guard large.exponent - exponent <= maximumAlignment + small.digits.count + large.digits.count else {
            return large
        }
        // Least significant digit first, with one extra digit for the carry.
        let width = large.magnitude - exponent + 1
        let first = ExactDecimal.column(large, from: exponent, width: width)
        let second = ExactDecimal.column(small, from: exponent, width: width)
        var result = [UInt8](repeating: 0, count: width)
        var carry: Int8 = 0
        let subtracts = large.isNegative != small.isNegative
        for index in 0..<width {
            var digit = Int8(first[index]) + carry + (subtracts ? -Int8(second[index]) : Int8(second[index]))
            carry = 0
            if digit < 0 {
                digit += 10
                carry = -1
            } else if digit > 9 {
                digit -= 10
                carry = 1
            }
            result[index] = UInt8(digit)
        }
        return ExactDecimal(isNegative: large.isNegative, digits: result.reversed(), exponent: exponent)
    }

    /// Returns the digits, least significant first, aligned so that the first digit has the weight 10^exponent.
    private static func column(_ value: ExactDecimal, from exponent: Int, width: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: width)
        var location = value.exponent - exponent
        for digit in value.digits.reversed() where location < width {
            result[location] = digit
            location += 1
        }
        return result
    }

    /// The shortest common notation: plain up to 21 integer digits and 6 leading zeros, otherwise with an exponent.
    var literal: String {
        if isZero { return "0" }
        let zero = UInt8(ascii: "0")
        var bytes: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
        if exponent >= 0, magnitude <= 21 {
            bytes += digits.lazy.map { $0 + zero }
            bytes += repeatElement(zero, count: exponent)
        } else if magnitude > 0, magnitude <= 21 {
            bytes += digits[..<magnitude].lazy.map { $0 + zero }
            bytes.append(UInt8(ascii: "."))
            bytes += digits[magnitude...].lazy.map { $0 + zero }
        } else if magnitude <= 0, magnitude > -6 {
            bytes += [zero, UInt8(ascii: ".")]
            bytes += repeatElement(zero, count: -magnitude)
            bytes += digits.lazy.map { $0 + zero }
        } else {
            bytes.append((digits.first ?? 0) + zero)
            if digits.count > 1 {
                bytes.append(UInt8(ascii: "."))
                bytes += digits.dropFirst().lazy.map { $0 + zero }
            }
            bytes.append(UInt8(ascii: "e"))
            bytes += String(magnitude - 1).utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A number `value` × 10^-`scale`, which preserves trailing zeros: 1.50 is 150 with scale 2.
struct ScaledInteger: Sendable {
    /// The maximum number of digits after the decimal point.
    static let maximumScale = 36
    /// The maximum scale whose power of ten fits in 64 bits.
    private static let maximumWordScale = 19

    let value: Int64
    /// The number of digits after the decimal point; 0 for an integer.
    let scale: UInt8

    /// Returns 10^`exponent` for an exponent of at most 19.
    @inline(__always)
    private static func power(_ exponent: Int) -> UInt64 {
        var result: UInt64 = 1
        for _ in 0..<exponent { result &*= 10 }
        return result
    }

    /// The value, if it is an integer.
    var integer: Int64? {
        if scale == 0 || value == 0 { return value }
        guard scale < 19 else { return nil }
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: Int64(ScaledInteger.power(Int(scale))))
        return remainder == 0 ? quotient : nil
    }

    /// The same number with the minimum number of digits after the decimal point.
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

    /// Returns a negative number, zero or a positive number if `left` is less than, equal to or greater than `right`.
    static func compare(_ left: ScaledInteger, _ right: ScaledInteger) -> Int {
        if left.scale == right.scale { return left.value < right.value ? -1 : left.value == right.value ? 0 : 1 }
        if left.scale > right.scale { return -compare(right, left) }
        let difference = Int(right.scale - left.scale)
        // Beyond 18, the product might not fit in 128 bits, but then it exceeds any 64-bit integer.
        guard difference <= 18 else {
            return Int(left.value == 0 ? -right.value.signum() : left.value.signum())
        }
        let scaled = Int128(left.value) * Int128(ScaledInteger.power(difference))
        let other = Int128(right.value)
        return scaled < other ? -1 : scaled == other ? 0 : 1
    }

    /// The nearest `Double`, correctly rounded; nil if that takes more than a division of 128 by 64 bits.
    var double: Double? {
        if scale == 0 { return Double(value) }
        if value == 0 { return 0 }
        guard scale <= ScaledInteger.maximumWordScale else { return nil }
        let magnitude = value.magnitude
        let divisor = ScaledInteger.power(Int(scale))
        // Both are shifted up to bit 63, so that the quotient has 63 or 64 bits.
        let dividendShift = magnitude.leadingZeroBitCount
        let divisorShift = divisor.leadingZeroBitCount
        let dividend = magnitude << UInt64(dividendShift)
        let (quotient, remainder) = (divisor << UInt64(divisorShift)).dividingFullWidth((dividend >> 1, dividend << 63))
        // It matters only whether the discarded bits are less than, equal to or greater than a half.
        let significand = Double(remainder == 0 ? quotient : quotient | 1)
        let exponent = divisorShift - dividendShift - 63
        let power = Double(bitPattern: UInt64(1023 + exponent) << 52)
        return value < 0 ? -(significand * power) : significand * power
    }

    /// Appends the literal to `output`.
    func write(into output: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 48) { digits in
            // From the last digit to the first, with at least one digit before the decimal point.
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

    /// The number as a literal.
    var literal: String {
        if scale == 0 { return String(value) }
        var text: [UInt8] = []
        text.reserveCapacity(24)
        write(into: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
