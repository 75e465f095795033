extension SecretPattern {
    /// The references that XML knows by name (XML 1.0, section 4.6).
    private static let named: [(name: [UInt8], byte: UInt8)] = [
        (Array("amp;".utf8), UInt8(ascii: "&")), (Array("lt;".utf8), UInt8(ascii: "<")),
        (Array("gt;".utf8), UInt8(ascii: ">")), (Array("quot;".utf8), UInt8(ascii: "\"")),
        (Array("apos;".utf8), UInt8(ascii: "'")),
    ]

    /// The UTF-8 bytes that a reference of XML or HTML stands for, such as `&amp;` or `&#x26;`, and the bytes that it
    /// takes in the text.
    static func referenced(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (bytes: [UInt8], length: Int)? {
        guard position + 1 < text.count else { return nil }
        if text[position + 1] != UInt8(ascii: "#") {
            for (name, byte) in named
            where position + name.count < text.count
                && text[(position + 1)...(position + name.count)].elementsEqual(name)
            {
                return ([byte], name.count + 1)
            }
            return nil
        }
        var index = position + 2
        let isHexadecimal = index < text.count && text[index] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { index += 1 }
        let first = index
        var value: UInt32 = 0
        // No scalar has more digits; zeros before them are not worth a longer search.
        while index < text.count, index < first + 8, let digit = hexadecimalDigit(text[index]),
            isHexadecimal || digit < 10
        {
            value = value &* (isHexadecimal ? 16 : 10) &+ UInt32(digit)
            index += 1
        }
        guard index > first, index < text.count, text[index] == UInt8(ascii: ";"), let scalar = Unicode.Scalar(value)
        else { return nil }
        return (Array(String(scalar).utf8), index + 1 - position)
    }
}
