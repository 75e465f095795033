import JSON

/// A decimal number of up to 30 digits, exact: `units` × 10^-`scale`.
struct SampleDecimal: Comparable {
    var units: Int128
    var scale: Int

    static let largestScale = 18

    init(units: Int128, scale: Int = 0) {
        self.units = units
        self.scale = scale
    }

    /// A number of JSON; nil for one with more digits than there is room for.
    init?(_ number: JSONNumber) {
        var digits: Int128 = 0
        var scale = 0
        var exponent = 0
        let literal = number.literal
        let parts = literal.split(whereSeparator: { $0 == "e" || $0 == "E" })
        guard let mantissa = parts.first, mantissa.utf8.count <= 32 else { return nil }
        if parts.count > 1 {
            guard let value = Int(parts[1]), (-30...30).contains(value) else { return nil }
            exponent = value
        }
        var isFraction = false
        for byte in mantissa.utf8 {
            switch byte {
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits * 10 + Int128(byte - UInt8(ascii: "0"))
                if isFraction { scale += 1 }
            default: break
            }
        }
        scale -= exponent
        while scale < 0 {
            let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            digits = product
            scale += 1
        }
        while scale > 0, digits % 10 == 0 {
            digits /= 10
            scale -= 1
        }
        guard scale <= Self.largestScale else { return nil }
        self.init(units: literal.hasPrefix("-") ? -digits : digits, scale: digits == 0 ? 0 : scale)
    }

    /// The units at another, larger scale; nil when they have no room.
    func units(at scale: Int) -> Int128? {
        var result = units
        for _ in self.scale..<max(scale, self.scale) {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = product
        }
        return result
    }

    /// The number as JSON writes it.
    var number: JSONNumber? {
        var digits = String(units.magnitude)
        if scale > 0 {
            if digits.utf8.count <= scale {
                digits = String(repeating: "0", count: scale + 1 - digits.utf8.count) + digits
            }
            let point = digits.index(digits.endIndex, offsetBy: -scale)
            var fraction = digits[point...]
            while fraction.last == "0" { fraction.removeLast() }
            digits = fraction.isEmpty ? String(digits[..<point]) : "\(digits[..<point]).\(fraction)"
        }
        return JSONNumber(literal: (units < 0 ? "-" : "") + digits)
    }

    static func < (left: SampleDecimal, right: SampleDecimal) -> Bool {
        let scale = max(left.scale, right.scale)
        guard let first = left.units(at: scale), let second = right.units(at: scale) else {
            // Only a number with many digits has no room: its magnitude decides.
            return (left.units.signum(), left.units.magnitude.leadingZeroBitCount)
                < (right.units.signum(), right.units.magnitude.leadingZeroBitCount)
        }
        return first < second
    }

    static func == (left: SampleDecimal, right: SampleDecimal) -> Bool { !(left < right) && !(right < left) }
}
