/// Percent-encoding of URLs (RFC 3986, section 2.1).
public enum PercentEncoding {
    /// The text with each `%XX` replaced by its byte; a `%` without two hexadecimal digits stays as it is.
    ///
    /// - Parameters:
    ///   - text: The encoded text.
    ///   - plusIsSpace: True in query strings and forms, where `+` is a space.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        let bytes = text.utf8
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == UInt8(ascii: "+")) }) else {
            return String(text)
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            let next = bytes.index(after: index)
            if byte == UInt8(ascii: "%"), let after = bytes.index(next, offsetBy: 2, limitedBy: bytes.endIndex),
                let high = hexDigit(bytes[next]), let low = hexDigit(bytes[bytes.index(after: next)])
            {
                result.append(high << 4 | low)
                index = after
            } else {
                result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index = next
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with every byte percent-encoded that is not unreserved (RFC 3986, section 2.3).
    public static func encode(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            default:
                result.append(UInt8(ascii: "%"))
                result.append(digits[Int(byte >> 4)])
                result.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
