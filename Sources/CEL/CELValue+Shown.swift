import Basics
import JSON

extension CELValue: CustomStringConvertible {
    /// The value in CEL notation, as messages and explanations show it.
    public var description: String { shown }

    var shown: String {
        var text = ""
        show(into: &text, depth: 0, limit: CELLimits.shownLength)
        return text
    }

    /// The value in CEL notation, truncated for messages and notes.
    var brief: String { brief(CELLimits.briefLength) }

    /// Returns the value in CEL notation, truncated to a number of characters, which also bounds the work.
    func brief(_ length: Int) -> String {
        var text = ""
        if case .string(let value) = self {
            text = Quoting.quoted(String(String.UnicodeScalarView(value.unicodeScalars.prefix(length + 1))))
        } else {
            show(into: &text, depth: 0, limit: length * 4)
        }
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    private func show(into text: inout String, depth: Int, limit: Int) {
        guard text.utf8.count < limit else {
            if !text.hasSuffix("…") { text += "…" }
            return
        }
        switch self {
        case .string(let value):
            guard value.utf8.count > limit else {
                text += Quoting.quoted(value)
                return
            }
            let start = Quoting.quoted(String(String.UnicodeScalarView(value.unicodeScalars.prefix(limit))))
            text += start.dropLast() + "…\""
        case .bytes(let bytes): text += "bytes(" + Quoting.quoted(Base64.encode(bytes)) + ")"
        case .uint(let value): text += String(value) + "u"
        case .double(let value):
            text += NumberNotation.text(of: value)
            if value.magnitude < 1e15, value == value.rounded() { text += ".0" }
        case .timestamp(let value): text += "timestamp(\"" + value.description + "\")"
        case .duration(let value): text += "duration(\"" + value.description + "\")"
        case .list(let list):
            guard depth < CELLimits.shownDepth else {
                text += "[…]"
                return
            }
            text += "["
            for position in 0..<list.count {
                if position > 0 { text += ", " }
                guard text.utf8.count < limit, let element = list[position] else {
                    text += "…"
                    break
                }
                element.show(into: &text, depth: depth + 1, limit: limit)
            }
            text += "]"
        case .map(let map):
            guard depth < CELLimits.shownDepth else {
                text += "{…}"
                return
            }
            text += "{"
            for (position, entry) in map.entries.enumerated() {
                if position > 0 { text += ", " }
                guard text.utf8.count < limit else {
                    text += "…"
                    break
                }
                entry.key.show(into: &text, depth: depth + 1, limit: limit)
                text += ": "
                entry.value.show(into: &text, depth: depth + 1, limit: limit)
            }
            text += "}"
        case .optional(let optional):
            guard let value = optional.value else {
                text += "optional.none()"
                return
            }
            text += "optional.of("
            value.show(into: &text, depth: depth + 1, limit: limit)
            text += ")"
        case .null, .bool, .int, .number, .type: text += self.text
        }
    }
}

/// Decimal notation of numbers.
enum NumberNotation {
    /// Returns whether a string consists only of digits and minus signs.
    static func isIntegerLiteral(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// Returns the shortest decimal that round-trips: `4`, `0.1`, `1e+21`; or `NaN`, `Infinity`, `-Infinity`.
    static func text(of value: Double) -> String {
        guard value.isFinite else {
            return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
        }
        if value == 0 { return value.sign == .minus ? "-0" : "0" }
        if value.magnitude < 9_007_199_254_740_992, let integer = Int64(exactly: value) { return String(integer) }
        let (digits, exponent) = shortestDigits(of: value.magnitude)
        let sign = value < 0 ? "-" : ""
        // The decimal point follows `exponent` digits. The ranges are those of JavaScript.
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

    /// Returns the significant digits and the number of digits before the decimal point.
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

/// Double-quoted notation of strings.
enum Quoting {
    /// Returns a string in double quotes, with CEL escapes for control characters, quotes, and backslashes.
    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 2)
        bytes.append(0x22)
        for byte in text.utf8 {
            if let escape = escape(of: byte) {
                bytes.append(0x5C)
                bytes.append(escape)
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(0x22)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x07: UInt8(ascii: "a")
        case 0x08: UInt8(ascii: "b")
        case 0x0C: UInt8(ascii: "f")
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case 0x09: UInt8(ascii: "t")
        case 0x0B: UInt8(ascii: "v")
        case 0x22, 0x5C: byte
        default: nil
        }
    }
}
