/// A 64-bit hash that is the same in every process, on every machine, and in every version of the program.
///
/// Implements FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo). The values are a contract: users rely on the assignment of tests
/// to hash shards. The hash does not resist attacks.
package struct StableHash: Hashable, Sendable {
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    /// The hash of the input so far.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the hash of empty input.
    package init() {}

    /// The hash with all bits mixed, whose remainders are evenly distributed for any divisor.
    package var mixed: UInt64 {
        var random = SplitMix64(seed: value)
        return random.next()
    }

    /// Appends a byte to the input.
    package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* Self.prime
    }

    /// Appends the UTF-8 bytes of a string to the input.
    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            for byte in bytes { add(byte) }
        }
    }

    /// Returns the hash of the input with a string appended.
    package func adding(_ text: String) -> StableHash {
        var hash = self
        hash.add(text)
        return hash
    }

    /// Appends a byte that UTF-8 never contains, which keeps the strings before and after it apart.
    package mutating func addSeparator() { add(0xFF) }
}
