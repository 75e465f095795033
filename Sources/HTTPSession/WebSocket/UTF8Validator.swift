/// Checks that bytes which come in parts are UTF-8 (Unicode 16 table 3-7), and finds the first that cannot be.
struct UTF8Validator {
    /// How many bytes the character has yet to come.
    private var missing = 0
    /// The range of the next of them.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    /// Whether no character is cut short.
    var isComplete: Bool { missing == 0 }

    /// Takes the next part.
    /// - Returns: Whether all so far can be UTF-8.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        let count = bytes.count
        while index < count {
            if missing == 0 {
                // Eight bytes of ASCII at a time.
                while index + 8 <= count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < count else { return true }
            }
            guard take(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard missing == 0 else {
            guard byte >= low, byte <= high else { return false }
            missing -= 1
            low = 0x80
            high = 0xBF
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            // No overlong forms, no surrogates.
            if byte == 0xE0 { low = 0xA0 } else if byte == 0xED { high = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { low = 0x90 } else if byte == 0xF4 { high = 0x8F }
        default: return false
        }
        return true
    }
}
