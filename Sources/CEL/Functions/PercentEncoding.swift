/// Percent-encoding (RFC 3986 §2.1).
enum PercentEncoding {
    /// Encodes all but the unreserved characters (letters, digits, `-._~`).
    static func encode(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if Lexer.isIdentifierPart(byte) || byte == 0x2D || byte == 0x2E || byte == 0x7E {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(Hexadecimal.digit(byte >> 4, uppercase: true))
                result.append(Hexadecimal.digit(byte & 0xF, uppercase: true))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes `%XX`; nil when a percent sign has no two digits behind it or the result is no UTF-8.
    static func decode(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "%") {
                guard position + 2 < bytes.count, let high = Lexer.hexadecimalValue(bytes[position + 1]),
                    let low = Lexer.hexadecimalValue(bytes[position + 2])
                else { return nil }
                result.append(UInt8(high << 4 | low))
                position += 3
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }
}
