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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        Self.append(Self.mixed(left), to: &bytes, hyphens: false)
        Self.append(Self.mixed(right), to: &bytes, hyphens: false)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The hash as a UUID of version 8 (RFC 9562, section 5.8).
    var uuid: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        Self.append(Self.mixed(left) & ~0xF000 | 0x8000, to: &bytes, hyphens: true)
        bytes.append(UInt8(ascii: "-"))
        let right = Self.mixed(right) & ~(3 << 62) | 1 << 63
        for (index, byte) in Self.digits(right).enumerated() {
            if index == 4 { bytes.append(UInt8(ascii: "-")) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8], hyphens: Bool) {
        for (index, digit) in digits(value).enumerated() {
            if hyphens, index == 8 || index == 12 { bytes.append(UInt8(ascii: "-")) }
            bytes.append(digit)
        }
    }

    private static func digits(_ value: UInt64) -> [UInt8] {
        (0..<16).map { index in
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * index) & 0xF)
            return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
        }
    }
}
