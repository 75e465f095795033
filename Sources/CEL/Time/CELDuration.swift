/// A signed duration with nanosecond precision, of up to about 292 years.
public struct CELDuration: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The duration in nanoseconds.
    public let nanoseconds: Int64

    /// Creates a duration from nanoseconds.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Creates a duration from a standard library duration, clamped to the range.
    public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        nanoseconds = overflow || overflowOfSum ? (seconds < 0 ? .min : .max) : sum
    }

    /// Creates a duration from numbers with units, such as `1h30m`, `-1.5s`, or `250ms`; nil if invalid or out of
    /// range.
    ///
    /// The units are h, m, s, ms, us, µs, and ns.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        var isNegative = false
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            isNegative = first == UInt8(ascii: "-")
            bytes = bytes.dropFirst()
        }
        guard !bytes.isEmpty else { return nil }
        if bytes.elementsEqual([UInt8(ascii: "0")]) {
            nanoseconds = 0
            return
        }
        var total: Int64 = 0
        while !bytes.isEmpty {
            guard let part = Self.readPart(&bytes, isNegative: isNegative) else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !overflow else { return nil }
            total = sum
        }
        nanoseconds = total
    }

    /// The duration in seconds with as many decimals as needed, such as `6347s` or `1.5s`.
    public var description: String {
        let magnitude = nanoseconds.magnitude
        let sign = nanoseconds < 0 ? "-" : ""
        let fraction = NanosecondText.fraction(Int32(magnitude % 1_000_000_000))
        return sign + String(magnitude / 1_000_000_000) + fraction + "s"
    }

    /// Returns whether the left duration is less than the right one.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Parses a number with its unit and returns signed nanoseconds.
    private static func readPart(_ bytes: inout ArraySlice<UInt8>, isNegative: Bool) -> Int64? {
        let sign: Int64 = isNegative ? -1 : 1
        var whole: Int64 = 0
        var digits = 0
        while let digit = digit(bytes.first) {
            let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
            let (sum, overflowOfSum) = product.addingReportingOverflow(sign * digit)
            guard !overflow, !overflowOfSum else { return nil }
            whole = sum
            digits += 1
            bytes = bytes.dropFirst()
        }
        var fraction: Int64 = 0
        var scale: Int64 = 1
        if bytes.first == UInt8(ascii: ".") {
            bytes = bytes.dropFirst()
            while let digit = digit(bytes.first) {
                // Digits after the fifteenth are less than a nanosecond in every unit.
                if scale < 1_000_000_000_000_000 {
                    fraction = fraction * 10 + digit
                    scale *= 10
                }
                digits += 1
                bytes = bytes.dropFirst()
            }
        }
        guard digits > 0, let unit = readUnit(&bytes) else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
        let part = Int64(Double(fraction) / Double(scale) * Double(unit))
        let exact = unit.isMultiple(of: scale) ? fraction * (unit / scale) : part
        let (sum, overflowOfSum) = product.addingReportingOverflow(sign * exact)
        return overflow || overflowOfSum ? nil : sum
    }

    private static func readUnit(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        let name = bytes.prefix { digit($0) == nil && $0 != UInt8(ascii: ".") }
        bytes = bytes.dropFirst(name.count)
        switch String(decoding: name, as: UTF8.self) {
        case "h": return 3_600_000_000_000
        case "m": return 60_000_000_000
        case "s": return 1_000_000_000
        case "ms": return 1_000_000
        case "us", "\u{B5}s", "\u{3BC}s": return 1_000
        case "ns": return 1
        default: return nil
        }
    }

    private static func digit(_ byte: UInt8?) -> Int64? {
        guard let byte, (0x30...0x39).contains(byte) else { return nil }
        return Int64(byte - 0x30)
    }
}

/// Decimal fractions of a second.
enum NanosecondText {
    /// Returns a decimal point and the digits without trailing zeros, or an empty string for zero.
    static func fraction(_ nanoseconds: Int32) -> String {
        guard nanoseconds > 0 else { return "" }
        let digits = String(nanoseconds)
        var text = String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
        while text.hasSuffix("0") { text.removeLast() }
        return "." + text
    }

    /// Parses up to nine digits and skips any further ones; returns nil without digits.
    static func read(_ bytes: inout ArraySlice<UInt8>) -> Int32? {
        var value: Int32 = 0
        var count = 0
        while let byte = bytes.first, (0x30...0x39).contains(byte) {
            if count < 9 { value = value * 10 + Int32(byte - 0x30) }
            count += 1
            bytes = bytes.dropFirst()
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 9 - count) { value *= 10 }
        return value
    }
}
