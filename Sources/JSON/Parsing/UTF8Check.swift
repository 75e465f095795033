/// Checks that bytes are UTF-8 (RFC 3629 §4): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
    /// Whether `bytes` are UTF-8.
    ///
    /// - Parameter text: What `bytes` is a part of, behind which up to three bytes more may be looked at.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress, let textStart = text.baseAddress else { return true }
        let raw = UnsafeRawPointer(start)
        let readable = text.count - (start - textStart)
        let count = bytes.count
        var index = 0
        while index &+ 8 <= readable, index < count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let high = word & 0x8080_8080_8080_8080
            if high == 0 {
                index &+= 8
                continue
            }
            // Past the ASCII characters before it, to the first byte of a character.
            let ascii = high.trailingZeroBitCount &>> 3
            index &+= ascii
            if index >= count { return true }
            guard index &+ 4 <= readable else { break }
            let sequence = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            let length: Int
            if sequence & 0x00C0_C0F0 == 0x0080_80E0 {
                // Zero: it would fit two bytes. 0x200D: a surrogate.
                let start = sequence & 0x0000_200F
                if start == 0 || start == 0x0000_200D { return false }
                length = 3
            } else if sequence & 0x0000_C0E0 == 0x0000_80C0 {
                if sequence & 0x0000_001E == 0 { return false }
                length = 2
            } else if sequence & 0xC0C0_C0F8 == 0x8080_80F0 {
                let plane = (sequence & 7) << 2 | (sequence >> 12) & 3
                if plane == 0 || plane > 16 { return false }
                length = 4
            } else {
                return false
            }
            index &+= length
            if index > count { return false }
        }
        return index >= count || firstInvalidByte(bytes, from: index, to: count) == nil
    }

    /// The first byte from `start` up to `end` at which no character begins that ends before `end`, or nil.
    static func firstInvalidByte(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
            guard length > 0, index + length <= end else { return index }
            let second = bytes[index + 1]
            let isAllowed =
                switch lead {
                case 0xE0: second >= 0xA0
                case 0xED: second < 0xA0
                case 0xF0: second >= 0x90
                case 0xF4: second < 0x90
                default: true
                }
            guard isAllowed, second & 0xC0 == 0x80 else { return index }
            for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return index }
            index += length
        }
        return nil
    }
}
