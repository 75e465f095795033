extension JSONReader {
    /// An error at a byte offset.
    func failure(_ message: String, at offset: Int) -> JSONParseError {
        JSONParseError(message: message, byteOffset: offset, in: bytes)
    }

    /// An error that says what should stand at a byte offset and what does.
    func unexpected(_ expected: String, at offset: Int) -> JSONParseError {
        failure("expected \(expected), found \(found(at: offset))", at: offset)
    }

    /// What stands at a byte offset: a word or a character in quotation marks, or the end of the text.
    func found(at offset: Int) -> String {
        guard offset < count else { return "the end of the text" }
        let byte = bytes[offset]
        if JSONReader.isWordByte(byte) {
            let word = bytes[offset...].prefix(24).prefix { JSONReader.isWordByte($0) }
            return "\"\(String(decoding: word, as: UTF8.self))\""
        }
        if byte == UInt8(ascii: "\"") { return "a quotation mark" }
        if byte < 0x20 || byte == 0x7F { return "the control character U+00\(hexadecimal(byte))" }
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        let slice = UnsafeBufferPointer(rebasing: bytes[offset..<min(offset + length, count)])
        if let character = String(validating: slice, as: UTF8.self) { return "\"\(character)\"" }
        return "the byte 0x\(hexadecimal(byte)), which is not UTF-8"
    }

    /// The error for a byte in a string that does not start a character.
    func invalidUTF8(at offset: Int) -> JSONParseError {
        let byte = offset < count ? bytes[offset] : 0
        return failure(
            "invalid UTF-8 in a string: the byte 0x\(hexadecimal(byte)) does not start a character", at: offset)
    }

    /// Two upper-case hexadecimal digits.
    func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }

    /// Whether a byte continues a word or number, for messages.
    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
