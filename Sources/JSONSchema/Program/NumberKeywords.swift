import JSON

/// The keywords that check numbers.
final class NumberKeywords: Sendable {
    let bounds: [NumberBound]
    let divisor: DecimalDivisor?

    init(bounds: [NumberBound], divisor: DecimalDivisor?) {
        self.bounds = bounds
        self.divisor = divisor
    }

    /// Whether a number keeps to all of them.
    func admit(_ number: JSONNumber) -> Bool {
        if !bounds.isEmpty {
            let value = number.double
            for bound in bounds where !bound.holds(for: number, near: value) { return false }
        }
        return divisor?.divides(number) ?? true
    }
}

/// One of `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum`.
struct NumberBound: Sendable {
    /// How a number must be related to the limit.
    enum Relation: Sendable {
        case atLeast, moreThan, atMost, lessThan
    }

    let relation: Relation
    let limit: JSONNumber
    /// The keyword, for messages.
    let keyword: String
    private let nearest: Double

    init(_ relation: Relation, _ limit: JSONNumber, keyword: String) {
        self.relation = relation
        self.limit = limit
        self.keyword = keyword
        nearest = limit.double
    }

    /// Whether a number keeps to the bound, compared exactly.
    @inline(__always)
    func holds(for number: JSONNumber, near value: Double) -> Bool {
        // Rounding keeps the order: numbers whose nearest doubles differ are ordered as these are.
        if value < nearest { return relation == .atMost || relation == .lessThan }
        if value > nearest { return relation == .atLeast || relation == .moreThan }
        return holdsExactly(for: number)
    }

    private func holdsExactly(for number: JSONNumber) -> Bool {
        switch relation {
        case .atLeast: !(number < limit)
        case .moreThan: limit < number
        case .atMost: !(limit < number)
        case .lessThan: number < limit
        }
    }
}

extension NumberBound {
    /// The bounds that a format of numbers in OpenAPI means; none for any other.
    static func bounds(ofFormat name: String) -> [NumberBound] {
        switch name {
        case "int32": between(JSONNumber(Int(Int32.min)), JSONNumber(Int(Int32.max)))
        case "int64": between(JSONNumber(Int(Int64.min)), JSONNumber(Int(Int64.max)))
        default: []
        }
    }

    private static func between(_ least: JSONNumber, _ most: JSONNumber) -> [NumberBound] {
        [NumberBound(.atLeast, least, keyword: "format"), NumberBound(.atMost, most, keyword: "format")]
    }
}

/// The number of a `multipleOf`, prepared for exact division of decimal numbers of any size.
struct DecimalDivisor: Sendable {
    /// The number as it was written.
    let number: JSONNumber
    /// The value when it is an integer that fits.
    private let integer: Int64?
    /// The significant digits, the most significant first, and the power of ten of the last one.
    private let digits: [UInt8]
    private let exponent: Int
    /// The significant digits as a number, unless there are more than fit with room for a further digit.
    private let small: UInt128?

    /// Prepares a number, which must be greater than 0.
    init(_ number: JSONNumber) {
        self.number = number
        integer = number.int64
        (digits, exponent) = DecimalDivisor.significant(number.literal)
        small =
            digits.count <= 37
            ? digits.reduce(into: UInt128(0)) { value, digit in value = value * 10 + UInt128(digit) } : nil
    }

    /// Whether a number is a multiple, computed without rounding.
    ///
    /// With d the digits of either as integers, value and divisor are dv × 10^ev and dd × 10^ed without trailing zeros.
    /// Where ev < ed the quotient cannot be whole. Otherwise it is where dd divides dv × 10^(ev - ed); once the power of
    /// ten has all the twos and fives that dd can have, a larger one changes nothing, so its work is bounded.
    func divides(_ value: JSONNumber) -> Bool {
        if let integer, let value = value.int64 { return integer != 0 && value % integer == 0 }
        let (valueDigits, valueExponent) = DecimalDivisor.significant(value.literal)
        if valueDigits.isEmpty { return true }
        if valueExponent < exponent || digits.isEmpty { return false }
        // A number of n digits has less than 4 n twos, and fewer fives.
        let zeros = min(valueExponent - exponent, 4 * digits.count)
        guard let small else { return DecimalDivisor.isMultiple(valueDigits, zeros: zeros, of: digits) }
        var remainder: UInt128 = 0
        for digit in valueDigits { remainder = (remainder * 10 + UInt128(digit)) % small }
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

    /// The digits of a JSON number without zeros at either end, and the power of ten of the last one.
    private static func significant(_ literal: String) -> (digits: [UInt8], exponent: Int) {
        var digits: [UInt8] = []
        var fraction = 0
        var isInFraction = false
        var written = 0
        var writtenIsNegative = false
        var isInExponent = false
        for byte in literal.utf8 {
            switch byte {
            case UInt8(ascii: "."): isInFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isInExponent = true
            case UInt8(ascii: "-"): writtenIsNegative = isInExponent
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = byte - UInt8(ascii: "0")
                if isInExponent {
                    if written < 1 << 56 { written = written * 10 + Int(digit) }
                } else {
                    if !digits.isEmpty || digit != 0 { digits.append(digit) }
                    if isInFraction { fraction += 1 }
                }
            default: break
            }
        }
        var exponent = (writtenIsNegative ? -written : written) - fraction
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        return (digits, digits.isEmpty ? 0 : exponent)
    }
}
