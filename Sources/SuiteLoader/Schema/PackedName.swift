/// A short name in two machine words, so that finding a key among a map's is a few comparisons of integers.
struct PackedName: Sendable, Equatable {
    /// The bytes that a name may have.
    static let capacity = 16

    private let low: UInt64
    private let high: UInt64

    /// Packs a name, or gives nil when it is longer than ``capacity`` or holds a zero byte.
    @inline(__always)
    init?(_ name: String) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var index: UInt64 = 0
        for byte in name.utf8 {
            if index < 8 {
                low |= UInt64(byte) &<< (index &* 8)
            } else if index < 16 {
                high |= UInt64(byte) &<< ((index &- 8) &* 8)
            } else {
                return nil
            }
            // A zero byte would look like the end of a shorter name.
            if byte == 0 { return nil }
            index &+= 1
        }
        self.low = low
        self.high = high
    }
}
