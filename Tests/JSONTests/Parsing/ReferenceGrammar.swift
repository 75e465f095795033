/// A straightforward implementation of the grammar of RFC 8259, for comparison with the parser.
struct ReferenceGrammar {
    private var rest: ArraySlice<UInt8>

    /// Returns whether `text` is a JSON text in UTF-8, without a byte order mark.
    static func accepts(_ text: [UInt8]) -> Bool {
        guard String(validating: text, as: UTF8.self) != nil else { return false }
        var grammar = ReferenceGrammar(rest: text[...])
        grammar.space()
        guard grammar.value() else { return false }
        grammar.space()
        return grammar.rest.isEmpty
    }

    private mutating func space() {
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private mutating func take(_ characters: String) -> Bool {
        guard let first = rest.first, characters.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func word(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private mutating func value() -> Bool {
        if word("true") || word("false") || word("null") { return true }
        switch rest.first {
        case UInt8(ascii: "["): return list(close: "]") { $0.value() }
        case UInt8(ascii: "{"): return list(close: "}") { $0.member() }
        case UInt8(ascii: "\""): return string()
        default: return number()
        }
    }

    private mutating func list(close: String, _ item: (inout ReferenceGrammar) -> Bool) -> Bool {
        rest = rest.dropFirst()
        space()
        if take(close) { return true }
        while item(&self) {
            space()
            if take(close) { return true }
            guard take(",") else { return false }
            space()
        }
        return false
    }

    private mutating func member() -> Bool {
        guard rest.first == UInt8(ascii: "\""), string() else { return false }
        space()
        guard take(":") else { return false }
        space()
        return value()
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0"), !digits() { return false }
        if take("."), !digits() { return false }
        if take("eE") {
            _ = take("+-")
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let count = rest.count
        while take("0123456789") {}
        return rest.count < count
    }

    private mutating func string() -> Bool {
        rest = rest.dropFirst()
        while let byte = rest.first {
            if take("\"") { return true }
            if byte < 0x20 { return false }
            if take("\\") {
                if take("u") {
                    guard let code = hexadecimal() else { return false }
                    if code & 0xFC00 == 0xDC00 { return false }
                    if code & 0xFC00 == 0xD800 {
                        guard word("\\u"), let second = hexadecimal(), second & 0xFC00 == 0xDC00 else { return false }
                    }
                } else if !take("\"\\/bfnrt") {
                    return false
                }
            } else {
                rest = rest.dropFirst()
            }
        }
        return false
    }

    private mutating func hexadecimal() -> Int? {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }) else {
            return nil
        }
        rest = rest.dropFirst(4)
        return Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
