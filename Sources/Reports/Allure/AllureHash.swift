/// A hash of 128 bits, in two lanes of FNV-1a: names for results that are the same whenever what they are made from is.
struct AllureHash: Hashable {
    private var left: UInt64 = 0xCBF2_9CE4_8422_2325
    private var right: UInt64 = 0x6C62_272E_07BB_0142

    private static let prime: UInt64 = 0x100_0000_01B3

    /// Adds a text and its end, so that `ab`, `c` and `a`, `bc` differ.
    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            for byte in bytes { add(byte: byte) }
        }
        // No text in UTF-8 holds this byte.
        add(byte: 0xFF)
    }

    /// Adds a number.
    mutating func add(_ number: Int64) {
        let number = UInt64(bitPattern: number)
        left = (left ^ number) &* Self.prime
        right = (right &+ number) &* 0x9E37_79B9_7F4A_7C15
        right ^= right >> 29
    }

    @inline(__always)
    private mutating func add(byte: UInt8) {
        left = (left ^ UInt64(byte)) &* Self.prime
        right = (right &+ UInt64(byte) ^ right >> 23) &* Self.prime
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// The hash as 32 hexadecimal digits.
    var hexadecimal: String {
        String(unsafeUninitializedCapacity: 32) { text in
            var count = 0
            Self.append(Self.mixed(left), to: text, &count)
            Self.append(Self.mixed(right), to: text, &count)
            return count
        }
    }

    /// The hash as a UUID of version 8 (RFC 9562, section 5.8).
    var uuid: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var count = 0
            Self.append(Self.mixed(left) & ~0xF000 | 0x8000, to: text, &count, isHyphenBefore: 0x1100)
            Self.append(Self.mixed(right) & ~(3 << 62) | 1 << 63, to: text, &count, isHyphenBefore: 0x11)
            return count
        }
    }

    /// Appends 16 digits.
    ///
    /// - Parameter isHyphenBefore: Has a bit for each digit before which a hyphen stands, the lowest for the first.
    private static func append(
        _ value: UInt64, to text: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int, isHyphenBefore: UInt16 = 0
    ) {
        func write(_ byte: UInt8) {
            text.initializeElement(at: count, to: byte)
            count += 1
        }
        for index in 0..<16 {
            if isHyphenBefore >> UInt16(index) & 1 != 0 { write(UInt8(ascii: "-")) }
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * index) & 0xF)
            write(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
    }
}
