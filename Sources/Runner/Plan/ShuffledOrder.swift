/// The order in which tests start when it is shuffled.
enum ShuffledOrder {
    /// For each test its place in a random order, the same for the same seed.
    static func ranks(count: Int, seed: UInt64) -> [Int32] {
        var ranks = (0..<Int32(clamping: count)).map { $0 }
        var random = SplitMix(state: seed)
        // R. Durstenfeld's form of the Fisher-Yates shuffle (CACM 7, 1964); the bias of the remainder is below 2^-32.
        for index in stride(from: ranks.count - 1, to: 0, by: -1) {
            ranks.swapAt(index, Int(random.next() % UInt64(index + 1)))
        }
        return ranks
    }

    /// SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).
    private struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
