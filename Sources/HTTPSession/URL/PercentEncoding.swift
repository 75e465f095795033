/// Percent-encoding of bytes in URLs (RFC 3986 section 2.1).
enum PercentEncoding {
    /// The bytes with each "%" and two digits replaced by the byte they stand for.
    static func decode(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = ByteClass.hexValue(bytes[index + 1]), let low = ByteClass.hexValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
