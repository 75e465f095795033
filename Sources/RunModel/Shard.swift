/// One of several parts of a run's tests, each for a separate process: `2/5` or `hash:2/5`.
public struct Shard: Sendable, Hashable, CustomStringConvertible {
    /// The rule that assigns tests to shards.
    public enum Rule: Sendable, Hashable {
        /// All shards get the same number of tests, or tests of the same total duration.
        case balanced
        /// The shard of a test depends only on a hash of its identity.
        case hash
    }

    /// A division of all tests into shards. Exactly one shard of a division has a given test.
    public struct Division: Sendable, Hashable {
        /// The rule that assigns tests to shards.
        public let rule: Rule
        /// The number of shards.
        public let count: Int

        /// The shards, in order.
        public var shards: some Sequence<Shard> { (1...count).lazy.map { Shard(index: $0, of: self) } }
    }

    /// The maximum number of shards.
    public static let maximumCount = 100_000
    /// The text before the index of a shard with the rule ``Rule/hash``.
    private static let hashPrefix = "hash:"

    /// The index of the shard, starting at 1.
    public let index: Int
    /// The division that the shard belongs to.
    public let division: Division

    /// The number of shards.
    public var count: Int { division.count }

    /// The shard as `I/N` or `hash:I/N`.
    public var description: String { "\(division.rule == .hash ? Self.hashPrefix : "")\(index)/\(count)" }

    private init(index: Int, of division: Division) {
        self.index = index
        self.division = division
    }

    /// Creates a shard. Returns nil if the index is not in 1...count, or the count exceeds ``maximumCount``.
    public init?(index: Int, count: Int, rule: Rule = .balanced) {
        guard index >= 1, index <= count, count <= Self.maximumCount else { return nil }
        self.init(index: index, of: Division(rule: rule, count: count))
    }

    /// Parses `I/N` or `hash:I/N`. Returns nil if the string has another format, or I is not in 1...N.
    public init?(parsing text: String) {
        let isHash = text.hasPrefix(Self.hashPrefix)
        let parts = text.dropFirst(isHash ? Self.hashPrefix.count : 0)
            .split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) }),
            let index = Int(parts[0]), let count = Int(parts[1])
        else { return nil }
        self.init(index: index, count: count, rule: isHash ? .hash : .balanced)
    }

    /// Returns whether another shard has different tests of the same division.
    public func isSibling(of other: Shard) -> Bool { division == other.division && index != other.index }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
