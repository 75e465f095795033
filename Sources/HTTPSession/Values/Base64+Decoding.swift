extension Base64 {
    /// The bytes that a text stands for, padded as it must be; nil if it is not base 64.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group = 0
        var digits = 0
        var padding = 0
        for byte in text {
            let value: Int
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(byte) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = Int(byte) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte) + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="):
                padding += 1
                value = 0
            default: return nil
            }
            if padding > 0, byte != UInt8(ascii: "=") { return nil }
            group = group << 6 | value
            digits += 1
            if digits == 4 {
                guard padding < 3 else { return nil }
                let all = [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
                bytes.append(contentsOf: all.prefix(3 - padding))
                group = 0
                digits = 0
            }
        }
        return padding < 3 ? bytes : nil
    }
}
