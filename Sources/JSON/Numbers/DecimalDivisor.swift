/// The divisor of a `multipleOf`, prepared for exact division of decimal numbers of any size.
package struct DecimalDivisor: Sendable {
    /// The original number.
    package let number: JSONNumber
    /// The value, if it is an integer in range.
    private let integer: Int64?
    /// The significant digits, most significant first.
    private let digits: [UInt8]
    private let exponent: Int
    /// The significant digits as a number, if they fit with room for another digit.
    private let small: UInt128?

    /// Creates a divisor from a number, which must be greater than 0.
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

    /// Returns whether a number is a multiple of the divisor, computed without rounding.
    ///
    /// The value and the divisor are dv × 10^ev and dd × 10^ed, where dv and dd are their digits as integers without
    /// trailing zeros. If ev < ed, the quotient is not an integer. Otherwise it is one if dd divides dv × 10^(ev - ed).
    /// Once the power of ten contains all factors of two and five that dd can have, a larger one changes nothing, so
    /// the work is bounded.
    package func divides(_ value: JSONNumber) -> Bool {
        if let integer, let value = value.int64 { return integer != 0 && value % integer == 0 }
        let value = value.decimal
        if value.isZero { return true }
        if value.exponent < exponent || digits.isEmpty { return false }
        // A number of n digits has fewer than 4 n factors of two, and fewer of five.
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

    /// Divides by a number of very many digits, one digit at a time, as in long division.
    private static func isMultiple(_ digits: [UInt8], zeros: Int, of divisor: [UInt8]) -> Bool {
        // Least significant digit first; one digit more than the divisor.
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
