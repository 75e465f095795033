/// Hexadecimal text.
enum Hexadecimal {
    static func digit(_ value: UInt8, uppercase: Bool = false) -> UInt8 {
        value < 10 ? 0x30 + value : (uppercase ? 0x41 : 0x61) + value - 10
    }

    static func encode(_ bytes: some Collection<UInt8>, uppercase: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digit(byte >> 4, uppercase: uppercase))
            text.append(digit(byte & 0xF, uppercase: uppercase))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or nil for what is no pairs of hexadecimal digits.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt32?
        for byte in text.utf8 {
            guard let digit = Lexer.hexadecimalValue(byte) else { return nil }
            if let first = high {
                bytes.append(UInt8(first << 4 | digit))
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }
}
