/// Random numbers that follow from a seed, the same on every machine: SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).
///
/// Its sequences are a contract: seeds that users write down give the same values in every version.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    /// What the next number is made of; a generator of the same state gives the same numbers from here on.
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

    /// The golden ratio in 64 bits, odd: the distance between states.
    package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15
}
