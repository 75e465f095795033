/// A fast hash of member names, seeded for each process so that no document can be made of names that collide.
///
/// It is in step with comparing names byte by byte. It reads eight bytes at a time and mixes them by the full product of
/// two words, as wyhash does.
enum NameHash {
    /// The seed of this process.
    static let seed = UInt64.random(in: .min ... .max)

    /// The hash of a name.
    static func hash(_ name: String) -> UInt32 {
        var name = name
        return name.withUTF8 { hash($0, seed: seed) }
    }

    /// The hash of a name given as UTF-8.
    @inline(__always)
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt32 {
        let raw = UnsafeRawBufferPointer(bytes)
        let count = bytes.count
        var state = seed ^ UInt64(truncatingIfNeeded: count) &* 0xA076_1D64_78BD_642F
        if count >= 8 {
            var offset = 0
            while offset + 8 < count {
                state = mix(state ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            // The last eight bytes, some of them again.
            state = mix(state ^ raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
        } else if count >= 4 {
            let first = raw.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
            let last = raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            state = mix(state ^ (UInt64(first) | UInt64(last) << 32))
        } else if count > 0 {
            let word = UInt64(bytes[0]) | UInt64(bytes[count >> 1]) << 8 | UInt64(bytes[count - 1]) << 16
            state = mix(state ^ word)
        }
        let hash = mix(state)
        return UInt32(truncatingIfNeeded: hash)
    }

    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }
}
