/// The decimal text of numbers.
enum NumberText {
    /// True for an optional minus sign and digits only.
    static func isIntegerLiteral(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// The shortest decimal that gives the same double again: `4`, `0.1`, `1e+21`; `NaN`, `Infinity`, `-Infinity`.
    static func text(of value: Double) -> String {
        guard value.isFinite else {
            return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
        }
        if value == 0 { return value.sign == .minus ? "-0" : "0" }
        if value.magnitude < 9_007_199_254_740_992, let integer = Int64(exactly: value) { return String(integer) }
        let (digits, exponent) = shortestDigits(of: value.magnitude)
        let sign = value < 0 ? "-" : ""
        // The decimal point stands after `exponent` digits; the ranges are those of JavaScript.
        switch exponent {
        case (digits.count)...21:
            return sign + digits + String(repeating: "0", count: exponent - digits.count)
        case 1..<21:
            return sign + digits.prefix(exponent) + "." + digits.dropFirst(exponent)
        case -5...0:
            return sign + "0." + String(repeating: "0", count: -exponent) + digits
        default:
            let power = exponent - 1
            let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
            return sign + digits.prefix(1) + fraction + "e" + (power < 0 ? "-" : "+") + String(power.magnitude)
        }
    }

    /// The significant digits and the number of them before the decimal point.
    private static func shortestDigits(of value: Double) -> (digits: String, exponent: Int) {
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        let text = value.description
        var rest = Substring(text)
        if let marker = text.firstIndex(of: "e") {
            exponent = Int(text[text.index(after: marker)...]) ?? 0
            rest = text[..<marker]
        }
        for byte in rest.utf8 {
            if byte == 0x2E {
                point = digits.count
            } else {
                digits.append(byte)
            }
        }
        exponent += point ?? digits.count
        while digits.count > 1, digits.last == 0x30 { digits.removeLast() }
        while digits.count > 1, digits.first == 0x30 {
            digits.removeFirst()
            exponent -= 1
        }
        return (String(decoding: digits, as: UTF8.self), exponent)
    }
}
