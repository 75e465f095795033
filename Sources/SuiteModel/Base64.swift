/// Base64 (RFC 4648, section 4).
package enum Base64 {
    /// The bytes that a text encodes, white space between its characters left out; nil when it is not base64.
    package static func decode(_ text: String) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text.utf8 {
            if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { continue }
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(of: byte) else { return nil }
            bits = bits << 6 | value
            count += 1
            if count % 4 == 0 {
                result.append(UInt8(truncatingIfNeeded: bits >> 16))
                result.append(UInt8(truncatingIfNeeded: bits >> 8))
                result.append(UInt8(truncatingIfNeeded: bits))
                bits = 0
            }
        }
        switch (count % 4, padding) {
        case (0, 0): return result
        case (2, 2), (2, 0):
            result.append(UInt8(truncatingIfNeeded: bits >> 4))
            return result
        case (3, 1), (3, 0):
            result.append(UInt8(truncatingIfNeeded: bits >> 10))
            result.append(UInt8(truncatingIfNeeded: bits >> 2))
            return result
        default: return nil
        }
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 0x41
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 0x61 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
