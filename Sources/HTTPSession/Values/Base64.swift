/// Base 64 (RFC 4648 section 4).
enum Base64 {
    /// The text that stands for the bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        alphabet.withUTF8Buffer { alphabet in
            var index = 0
            while index < bytes.count {
                let second = index + 1 < bytes.count ? bytes[index + 1] : 0
                let third = index + 2 < bytes.count ? bytes[index + 2] : 0
                let group = Int(bytes[index]) << 16 | Int(second) << 8 | Int(third)
                result.append(alphabet[group >> 18 & 63])
                result.append(alphabet[group >> 12 & 63])
                result.append(index + 1 < bytes.count ? alphabet[group >> 6 & 63] : UInt8(ascii: "="))
                result.append(index + 2 < bytes.count ? alphabet[group & 63] : UInt8(ascii: "="))
                index += 3
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
