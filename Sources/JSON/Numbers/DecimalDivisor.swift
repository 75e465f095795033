/// The number of a `multipleOf`, prepared for exact division of decimal numbers of any size.
package struct DecimalDivisor: Sendable {
    /// The number as it was written.
    package let number: JSONNumber
    /// The value when it is an integer that fits.
    private let integer: Int64?
    /// The significant digits, the most significant first, and the power of ten of the last one.
    private let digits: [UInt8]
    private let exponent: Int
    /// The significant digits as a number, unless there are more than fit with room for a further digit.
    private let small: UInt128?

    /// Prepares a number, which must be greater than 0.
    package init(_ number: JSONNumber) {
        self.number = number
        integer = number.int64
        let decimal = number.decimal
        digits = decimal.digits
        exponent = decimal.exponent
        small =
            digits.count <= 37
            ? digits.reduce(into: UInt128(0)) { value, digit in value = value * 10 + UInt128(digit) } : nil
    }

    /// Whether a number is a multiple, computed without rounding.
    ///
    /// With d the digits of either as integers, value and divisor are dv × 10^ev and dd × 10^ed without trailing zeros.
    /// Where ev < ed the quotient cannot be whole. Otherwise it is where dd divides dv × 10^(ev - ed); once the power of
    /// ten has all the twos and fives that dd can have, a larger one changes nothing, so its work is bounded.
    package func divides(_ value: JSONNumber) -> Bool {
        if let integer, let value = value.int64 { return integer != 0 && value % integer == 0 }
        let value = value.decimal
        if value.isZero { return true }
        if value.exponent < exponent || digits.isEmpty { return false }
        // A number of n digits has less than 4 n twos, and fewer fives.
        let zeros = min(value.exponent - exponent, 4 * digits.count)
        guard let small else { return DecimalDivisor.isMultiple(value.digits, zeros: zeros, of: digits) }
        var remainder: UInt128 = 0
        for digit in value.digits { remainder = (remainder * 10 + UInt128(digit)) % small }
        for _ in 0..<zeros {
            if remainder == 0 { break }
            remainder = remainder * 10 % small
        }
        return remainder == 0
    }

    /// Division by a number of very many digits, one digit at a time as on paper.
    private static func isMultiple(_ digits: [UInt8], zeros: Int, of divisor: [UInt8]) -> Bool {
        // Least significant digit first; one place more than the divisor has.
        var remainder = [UInt8](repeating: 0, count: divisor.count + 1)
        let divisor = Array(divisor.reversed()) + [0]
        for index in 0..<(digits.count + zeros) {
            remainder.removeLast()
            remainder.insert(index < digits.count ? digits[index] : 0, at: 0)
            while isAtLeast(remainder, divisor) { subtract(divisor, from: &remainder) }
        }
        return remainder.allSatisfy { $0 == 0 }
    }

    private static func isAtLeast(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        for index in left.indices.reversed() where left[index] != right[index] { return left[index] > right[index] }
        return true
    }

    private static func subtract(_ right: [UInt8], from left: inout [UInt8]) {
        var borrow: UInt8 = 0
        for index in left.indices {
            let taken = right[index] + borrow
            borrow = left[index] < taken ? 1 : 0
            left[index] = left[index] + borrow * 10 - taken
        }
    }
}
