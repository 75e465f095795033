/// Decodes percent-encoded text (RFC 3986, section 2.1).
enum PercentDecoding {
    /// The text with its escapes resolved; bytes that are no UTF-8 become U+FFFD.
    ///
    /// - Parameter plusIsSpace: Whether `+` stands for a space, as in forms and queries.
    static func text(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(decoding: decoded(bytes, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// The bytes with their escapes resolved; a `%` without two hexadecimal digits stands for itself.
    static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            if byte == UInt8(ascii: "%"), index < bytes.endIndex {
                let next = bytes.index(after: index)
                if next < bytes.endIndex, let high = digit(bytes[index]), let low = digit(bytes[next]) {
                    result.append(high << 4 | low)
                    index = bytes.index(after: next)
                    continue
                }
            }
            result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
