import CEL

/// Random UUIDs (RFC 9562, section 5.4).
enum RandomUUID {
    /// The next one, in lower case.
    static func next(_ random: CELRandomSource) -> String {
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = hexadecimal(high) + hexadecimal(low)
        var result: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if index == 8 || index == 12 || index == 16 || index == 20 { result.append(UInt8(ascii: "-")) }
            result.append(digit)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hexadecimal(_ word: UInt64) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return (0..<16).map { digits[Int(word >> (60 - 4 * UInt64($0)) & 15)] }
    }
}
