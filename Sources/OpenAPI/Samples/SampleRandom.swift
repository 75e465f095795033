/// Random numbers that follow from a seed and a place, so that a change elsewhere leaves a value as it is.
struct SampleRandom: RandomNumberGenerator {
    private var state: UInt64

    /// Creates the generator of a place.
    init(seed: UInt64, path: [String], variation: Int) {
        // FNV-1a: the hashes of the standard library differ from process to process.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
        for token in path {
            for byte in token.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01b3
        }
        state = hash ^ (UInt64(truncatingIfNeeded: variation) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// The next number (SplitMix64).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
