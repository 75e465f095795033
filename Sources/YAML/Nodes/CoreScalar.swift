import Basics
import JSON

/// The value of an untagged plain scalar in the YAML 1.2 core schema (section 10.3.2).
enum CoreScalar {
    case null
    case bool(Bool)
    case number(JSONNumber)
    /// An infinity or NaN.
    case nonFinite
    case string

    /// The maximum number of digits of hexadecimal and octal integers; longer ones are strings.
    private static let maximumRadixDigits = 64

    /// Creates the value of a plain scalar from its text.
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
        // The JSON grammar is a subset of YAML's, and nearly every number matches it.
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

    /// Returns a decimal number in JSON notation; nil if the text is not a number.
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

    /// Converts an integer to decimal digits; returns nil if a character is not a digit of the base.
    private static func decimal(_ digits: Slice<UnsafeBufferPointer<UInt8>>, radix: Int) -> String? {
        guard digits.count <= maximumRadixDigits else { return nil }
        // The decimal digits, least significant first.
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

/// The tags of the YAML 1.2 core schema (section 10.3).
enum CoreTag: UInt8 {
    case none, string, integer, float, bool, null, map, sequence

    private static let prefix = "tag:yaml.org,2002:"

    /// The names of the tags, as they are usually written.
    static let names = "!!str, !!int, !!float, !!bool, !!null, !!map and !!seq"

    /// Creates the tag with a full name; returns nil if it is unknown.
    ///
    /// - Parameters:
    ///   - name: The name with its handle resolved. The non-specific tag `!` makes a scalar a string.
    ///   - isScalar: Whether the tagged node is a scalar.
    init?(name: String, isScalar: Bool) {
        if name == "!" {
            self = isScalar ? .string : .none
            return
        }
        guard name.hasPrefix(Self.prefix) else { return nil }
        switch name.dropFirst(Self.prefix.count) {
        case "str": self = .string
        case "int": self = .integer
        case "float": self = .float
        case "bool": self = .bool
        case "null": self = .null
        case "map": self = .map
        case "seq": self = .sequence
        default: return nil
        }
    }

    /// A description of a node with the tag.
    var typeDescription: MessageText {
        switch self {
        case .none: "a value"
        case .string: "a string"
        case .integer: "an integer"
        case .float: "a number"
        case .bool: "a boolean"
        case .null: "null"
        case .map: "a mapping"
        case .sequence: "a sequence"
        }
    }

    /// Returns whether a scalar with this text can have the tag.
    func accepts(_ text: String) -> Bool {
        switch (self, CoreScalar(plain: text)) {
        case (.none, _), (.string, _), (.bool, .bool), (.null, .null): true
        case (.float, .number), (.float, .nonFinite): true
        case (.integer, .number(let number)): number.isInteger
        default: false
        }
    }
}

/// The type of a scalar in the YAML 1.2 core schema (section 10.3.2), without its value.
enum ScalarForm: UInt8 {
    case string, null, boolean, number
    /// An infinity or NaN.
    case nonFinite

    /// Creates the type of a scalar with a style and a tag.
    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>, style: YAMLScalar.Style, tag: CoreTag) {
        switch tag {
        case .string: self = .string
        case .none, .map, .sequence:
            if style == .plain { self.init(plain: text) } else { self = .string }
        case .null, .bool, .integer, .float: self.init(plain: text)
        }
    }

    /// Creates the type of an untagged plain scalar.
    init(plain text: UnsafeBufferPointer<UInt8>) {
        guard let first = text.first else {
            self = .null
            return
        }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            // Nearly every number is an integer in JSON notation.
            let isInteger =
                (first != UInt8(ascii: "0") || text.count == 1) && text.allSatisfy { $0 &- UInt8(ascii: "0") <= 9 }
            self = isInteger ? .number : Self(CoreScalar(plain: String(decoding: text, as: UTF8.self)))
        case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"), UInt8(ascii: "T"),
            UInt8(ascii: "f"), UInt8(ascii: "F"):
            self = text.count > 5 ? .string : Self(CoreScalar(plain: String(decoding: text, as: UTF8.self)))
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            self = Self(CoreScalar(plain: String(decoding: text, as: UTF8.self)))
        default: self = .string
        }
    }

    private init(_ scalar: CoreScalar) {
        switch scalar {
        case .null: self = .null
        case .bool: self = .boolean
        case .number: self = .number
        case .nonFinite: self = .nonFinite
        case .string: self = .string
        }
    }
}
