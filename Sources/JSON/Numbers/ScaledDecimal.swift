/// An exact decimal number of up to 30 digits: `units` × 10^-`scale`.
package struct ScaledDecimal: Comparable {
    package var units: Int128
    package var scale: Int

    private static let maximumScale = 18
    private static let maximumMagnitude = 31

    package init(units: Int128, scale: Int = 0) {
        self.units = units
        self.scale = scale
    }

    /// Creates a decimal from a JSON number; nil if it has too many digits.
    package init?(_ number: JSONNumber) {
        let decimal = number.decimal
        guard decimal.magnitude <= Self.maximumMagnitude, decimal.digits.count <= Self.maximumMagnitude else {
            return nil
        }
        let zeros = repeatElement(0 as UInt8, count: max(0, decimal.exponent))
        let digits = (decimal.digits + zeros).reduce(0 as Int128) { $0 * 10 + Int128($1) }
        let scale = max(0, -decimal.exponent)
        guard scale <= Self.maximumScale else { return nil }
        self.init(units: decimal.isNegative ? -digits : digits, scale: scale)
    }

    /// Returns the units at another, larger scale; nil if they do not fit.
    package func units(at scale: Int) -> Int128? {
        var result = units
        for _ in self.scale..<max(scale, self.scale) {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = product
        }
        return result
    }

    /// The decimal as a JSON number.
    package var number: JSONNumber? {
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

    package static func < (left: ScaledDecimal, right: ScaledDecimal) -> Bool {
        let scale = max(left.scale, right.scale)
        guard let first = left.units(at: scale), let second = right.units(at: scale) else {
            // Only a number with many digits does not fit, so its magnitude decides.
            return (left.units.signum(), left.units.magnitude.leadingZeroBitCount)
                < (right.units.signum(), right.units.magnitude.leadingZeroBitCount)
        }
        return first < second
    }

    package static func == (left: ScaledDecimal, right: ScaledDecimal) -> Bool { !(left < right) && !(right < left) }
}
