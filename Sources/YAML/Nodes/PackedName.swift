/// A short text in two machine words, so that finding a key among a map's is a few comparisons of integers.
public struct PackedName: Sendable, Equatable {
    /// The bytes that a text may have.
    public static let capacity = 16

    /// The first eight bytes, the first of them lowest.
    public let low: UInt64
    /// The bytes behind ``low``.
    public let high: UInt64

    /// Packs a text, or gives nil when it is longer than ``capacity`` or holds a zero byte.
    public init?(_ name: String) {
        var name = name
        guard let packed = name.withUTF8({ PackedName($0) }) else { return nil }
        self = packed
    }

    /// Packs the bytes of a text.
    @inline(__always)
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let count = bytes.count
        guard count <= Self.capacity else { return nil }
        let raw = UnsafeRawBufferPointer(bytes)
        if count >= 8 {
            low = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
            high = Self.word(raw, from: 8, count: count - 8)
            if Self.hasZero(low, count: 8) || Self.hasZero(high, count: count - 8) { return nil }
        } else {
            low = Self.word(raw, from: 0, count: count)
            high = 0
            // A zero byte would look like the end of a shorter name.
            if Self.hasZero(low, count: count) { return nil }
        }
    }

    /// The bytes, at most eight, from an offset.
    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, from start: Int, count: Int) -> UInt64 {
        if count == 8 { return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
        if count >= 4 {
            let first = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            let last = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + count - 4, as: UInt32.self))
            return UInt64(first) | UInt64(last) << UInt64((count - 4) * 8)
        }
        var word: UInt64 = 0
        for index in 0..<count { word |= UInt64(bytes[start + index]) << UInt64(index * 8) }
        return word
    }

    /// Whether one of a word's first bytes is zero.
    @inline(__always)
    private static func hasZero(_ word: UInt64, count: Int) -> Bool {
        let filled = count >= 8 ? word : word | (UInt64.max << UInt64(count * 8))
        return (filled &- 0x0101_0101_0101_0101) & ~filled & 0x8080_8080_8080_8080 != 0
    }
}
