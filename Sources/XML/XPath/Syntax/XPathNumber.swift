/// The parsing, formatting and rounding of numbers in XPath (XPath 1.0, sections 3.5 and 4.4).
enum XPathNumber {
    /// Parses digits with an optional minus sign and decimal point, surrounded by whitespace; returns NaN for other
    /// text.
    static func parse(_ text: some Collection<UInt8>) -> Double {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        var digits = text.drop(while: isSpace)[...]
        var end = digits.endIndex
        if let last = digits.indices.reversed().first(where: { !isSpace(digits[$0]) }) {
            end = digits.index(after: last)
        }
        digits = digits[digits.startIndex..<end]
        var hasDigit = false
        var hasPoint = false
        for (offset, byte) in digits.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
            case UInt8(ascii: ".") where !hasPoint: hasPoint = true
            case UInt8(ascii: "-") where offset == 0: break
            default: return .nan
            }
        }
        guard hasDigit else { return .nan }
        // Swift parses neither "1." nor ".5".
        var written = String(decoding: digits, as: UTF8.self)
        if written.hasSuffix(".") { written.removeLast() }
        if written.hasPrefix(".") { written = "0" + written }
        if written.hasPrefix("-.") { written = "-0" + written.dropFirst() }
        return Double(written) ?? .nan
    }

    /// Returns a number as text without an exponent, with the fewest digits that identify it uniquely.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number == 0 { return "0" }
        let text = "\(abs(number))"
        let parts = text.split(separator: "e")
        var (whole, fraction) = (String(parts[0].prefix { $0 != "." }), "")
        if let point = parts[0].firstIndex(of: ".") { fraction = String(parts[0][parts[0].index(after: point)...]) }
        if parts.count > 1, let exponent = Int(parts[1]) {
            if exponent > 0 {
                let moved = fraction.prefix(exponent)
                whole += moved + String(repeating: "0", count: exponent - moved.count)
                fraction = String(fraction.dropFirst(exponent))
            } else {
                fraction = String(repeating: "0", count: -exponent - whole.count) + whole + fraction
                whole = "0"
            }
        }
        while fraction.last == "0" { fraction.removeLast() }
        return (number < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// Returns the nearest integer; a tie is rounded toward positive infinity.
    static func round(_ number: Double) -> Double {
        let floor = number.rounded(.down)
        return number - floor >= 0.5 ? floor + 1 : floor
    }
}
