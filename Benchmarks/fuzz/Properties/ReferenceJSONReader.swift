import JSON

/// A simple JSON parser that follows the grammar of RFC 8259, as the reference for the real one.
struct ReferenceJSONReader {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var depth = 0

    /// Returns the value of a text, or nil if it is not JSON or nested too deep. The last of duplicate members is used.
    static func read(_ bytes: [UInt8], maximumDepth: Int) -> JSONValue? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var reader = ReferenceJSONReader(bytes: bytes, maximumDepth: maximumDepth)
        guard let value = reader.value() else { return nil }
        return reader.position == bytes.count ? value : nil
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ text: StaticString) -> Bool {
        let wanted = Array("\(text)".utf8)
        guard bytes[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    /// Parses a value with the whitespace around it.
    private mutating func value() -> JSONValue? {
        skipSpace()
        defer { skipSpace() }
        if take("null") { return .null }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        switch next {
        case UInt8(ascii: "\""): return string().map(JSONValue.string)
        case UInt8(ascii: "["): return nested { $0.array() }
        case UInt8(ascii: "{"): return nested { $0.object() }
        default: return number().map(JSONValue.number)
        }
    }

    private mutating func nested(_ body: (inout ReferenceJSONReader) -> JSONValue?) -> JSONValue? {
        guard depth < maximumDepth else { return nil }
        depth += 1
        position += 1
        let value = body(&self)
        depth -= 1
        return value
    }

    private mutating func array() -> JSONValue? {
        var elements: [JSONValue] = []
        skipSpace()
        if take("]") { return .array(elements) }
        repeat {
            guard let element = value() else { return nil }
            elements.append(element)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    private mutating func object() -> JSONValue? {
        var object = JSONObject()
        skipSpace()
        if take("}") { return .object(object) }
        repeat {
            skipSpace()
            guard let name = string() else { return nil }
            skipSpace()
            guard take(":"), let value = value() else { return nil }
            object[name] = value
        } while take(",")
        return take("}") ? .object(object) : nil
    }

    private mutating func number() -> JSONNumber? {
        let start = position
        _ = take("-")
        if !take("0"), digits() == 0 { return nil }
        if take("."), digits() == 0 { return nil }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if digits() == 0 { return nil }
        }
        let literal = String(decoding: bytes[start..<position], as: UTF8.self)
        return JSONNumber(literal: literal)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        return position - start
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var units: [UInt16] = []
        var run: [UInt8] = []
        func flush() {
            units += String(decoding: run, as: UTF8.self).utf16
            run = []
        }
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                flush()
                // Lone surrogates are not valid text.
                return String(validating: units, as: UTF16.self)
            case UInt8(ascii: "\\"):
                flush()
                guard let unit = escape() else { return nil }
                units.append(unit)
            case 0..<0x20: return nil
            default: run.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> UInt16? {
        guard let letter = next else { return nil }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(letter)
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "u"):
            let digits = bytes[position...].prefix(4)
            guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 })
            else { return nil }
            position += 4
            return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        default: return nil
        }
    }
}
