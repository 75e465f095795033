/// One of several equal shares of a run's tests, each for a machine of its own: `--shard 2/5`.
public struct Shard: Sendable, Hashable {
    /// The largest number of shards.
    public static let maximumCount = 100_000

    /// Which shard it is, from 1.
    public let index: Int
    /// How many shards there are.
    public let count: Int

    /// Reads `I/N`; nil when the text is something else, or I is not from 1 to N.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) }),
            let index = Int(parts[0]), let count = Int(parts[1]), index >= 1, count <= Self.maximumCount,
            index <= count
        else { return nil }
        self.index = index
        self.count = count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
