/// A seeded random number generator with the same sequences on every machine.
///
/// Implements SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014). The sequences are a contract: a seed that a user
/// has
/// written down yields the same values in every version of the program.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    /// The current state. A generator created with it continues the same sequence.
    package private(set) var state: UInt64

    /// Creates a generator that starts with a seed.
    package init(seed: UInt64) { state = seed }

    /// Returns the next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= Self.increment
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// The increment between states: the golden ratio as an odd 64-bit integer.
    package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15
}
