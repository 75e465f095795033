import JSON

/// What an untagged plain scalar is by the core schema of YAML 1.2 (section 10.3.2).
enum CoreScalar {
    case null
    case bool(Bool)
    case number(JSONNumber)
    /// An infinity or not-a-number.
    case nonFinite
    case string

    /// Hexadecimal and octal integers with more digits than this are strings.
    private static let maximumRadixDigits = 64

    /// Resolves a plain scalar's text.
    init(plain text: String) {
        guard let first = text.utf8.first else {
            self = .null
            return
        }
        switch first {
        case UInt8(ascii: "~"): self = text == "~" ? .null : .string
        case UInt8(ascii: "n"), UInt8(ascii: "N"):
            self = text == "null" || text == "Null" || text == "NULL" ? .null : .string
        case UInt8(ascii: "t"), UInt8(ascii: "T"):
            self = text == "true" || text == "True" || text == "TRUE" ? .bool(true) : .string
        case UInt8(ascii: "f"), UInt8(ascii: "F"):
            self = text == "false" || text == "False" || text == "FALSE" ? .bool(false) : .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            self = Self.number(text)
        default: self = .string
        }
    }

    private static func number(_ text: String) -> CoreScalar {
        // JSON's grammar is a part of YAML's, and nearly every number is written in it.
        if let number = JSONNumber(literal: text) { return .number(number) }
        var text = text
        let literal = text.withUTF8 { bytes -> String? in
            if bytes.count > 2, bytes[0] == UInt8(ascii: "0") {
                if bytes[1] == UInt8(ascii: "x") { return decimal(bytes.dropFirst(2), radix: 16) }
                if bytes[1] == UInt8(ascii: "o") { return decimal(bytes.dropFirst(2), radix: 8) }
            }
            return normalized(bytes)
        }
        if let literal { return JSONNumber(literal: literal).map(CoreScalar.number) ?? .string }
        switch text {
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN":
            return .nonFinite
        default: return .string
        }
    }

    /// The JSON notation of a decimal number, or nil when the text is none.
    ///
    /// The grammar is `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
    private static func normalized(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var index = 0
        var result: [UInt8] = []
        func skipDigits() -> Range<Int> {
            let start = index
            while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
            return start..<index
        }
        if bytes[0] == UInt8(ascii: "-") { result.append(bytes[0]) }
        if bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+") { index = 1 }
        let integer = skipDigits()
        var significant = integer
        while significant.count > 1, bytes[significant.lowerBound] == UInt8(ascii: "0") {
            significant = (significant.lowerBound + 1)..<significant.upperBound
        }
        if significant.isEmpty { result.append(UInt8(ascii: "0")) } else { result += bytes[significant] }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let fraction = skipDigits()
            if fraction.isEmpty, integer.isEmpty { return nil }
            result.append(UInt8(ascii: "."))
            if fraction.isEmpty { result.append(UInt8(ascii: "0")) } else { result += bytes[fraction] }
        } else if integer.isEmpty {
            return nil
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            let start = index
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            if skipDigits().isEmpty { return nil }
            result += bytes[start..<index]
        }
        return index == bytes.count ? String(decoding: result, as: UTF8.self) : nil
    }

    /// The decimal digits of an integer in another base, or nil when a character is no digit of it.
    private static func decimal(_ digits: Slice<UnsafeBufferPointer<UInt8>>, radix: Int) -> String? {
        guard digits.count <= maximumRadixDigits else { return nil }
        // Decimal digits, the least significant first.
        var result: [Int] = [0]
        for byte in digits {
            guard byte != UInt8(ascii: "+"), byte != UInt8(ascii: "-"),
                let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix
            else { return nil }
            var carry = digit
            for index in result.indices {
                let value = result[index] * radix + carry
                result[index] = value % 10
                carry = value / 10
            }
            while carry > 0 {
                result.append(carry % 10)
                carry /= 10
            }
        }
        return result.reversed().map(String.init).joined()
    }
}
