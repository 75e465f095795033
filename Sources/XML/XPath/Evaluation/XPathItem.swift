/// A node of a document index, or a namespace of an element, in document order.
struct XPathItem: Hashable, Comparable {
    /// The index of the node in the upper half, and the number of a namespace, from 1, in the lower half.
    private let value: UInt64

    init(_ index: Int32) { value = UInt64(UInt32(bitPattern: index)) << 32 }

    init(namespace number: Int32, of element: Int32) {
        value = UInt64(UInt32(bitPattern: element)) << 32 | UInt64(UInt32(bitPattern: number))
    }

    /// The index of the node, or of the namespace's element.
    var index: Int32 { Int32(truncatingIfNeeded: value >> 32) }

    /// The number of the namespace among those in scope of its element, from 1; 0 for a node.
    var namespace: Int32 { Int32(truncatingIfNeeded: value) }

    static func < (left: XPathItem, right: XPathItem) -> Bool { left.value < right.value }
}

/// The value of a subexpression.
enum XPathResult {
    /// Nodes in document order, without duplicates.
    case nodes([XPathItem])
    /// A string in UTF-8.
    case string([UInt8])
    case number(Double)
    case boolean(Bool)
}

/// The conversion of numbers in XPath (XPath 1.0, sections 3.5 and 4.4).
enum XPathNumber {
    /// Parses a number: digits with an optional point and minus sign, surrounded by whitespace; otherwise NaN.
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
        // Swift accepts neither "1." nor ".5".
        var written = String(decoding: digits, as: UTF8.self)
        if written.hasSuffix(".") { written.removeLast() }
        if written.hasPrefix(".") { written = "0" + written }
        if written.hasPrefix("-.") { written = "-0" + written.dropFirst() }
        return Double(written) ?? .nan
    }

    /// Formats a number without an exponent, with the minimum of digits that distinguish it from all others.
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

    /// Rounds to the nearest integer; ties round toward positive infinity.
    static func round(_ number: Double) -> Double {
        let floor = number.rounded(.down)
        return number - floor >= 0.5 ? floor + 1 : floor
    }
}
