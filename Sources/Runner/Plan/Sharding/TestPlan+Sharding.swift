import RunModel
import SuiteModel

/// One of several equal shares of a run's tests, each for a separate machine: `--shard 2/5`.
public struct Shard: Sendable, Hashable {
    /// The maximum number of shards.
    public static let maximumCount = 100_000

    /// The index of the shard, starting at 1.
    public let index: Int
    /// The number of shards.
    public let count: Int

    /// Parses `I/N`. Returns nil if the string has another format, or I is not in 1...N.
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

extension TestPlan {
    /// The part of the tests that belongs to one shard, and the number of test groups in all shards.
    public struct Share: Sendable {
        /// The tests of the shard, possibly none.
        public var plan: TestPlan
        /// The number of groups of tests that stay together, in all shards.
        public var groups: Int
    }

    /// Returns a shard's part of the plan.
    ///
    /// Every test is in exactly one shard, together with all tests of its group. Setup and teardown are in every shard
    /// with tests of their suite. The distribution depends only on the plan and the durations.
    ///
    /// - Parameters:
    ///   - durations: The previous duration of each test in nanoseconds, or nil if unknown. An unknown duration counts
    ///     as the median of the known ones. If the array is empty, all tests count the same.
    public func share(of shard: Shard, durations: [Int64?] = []) -> Share {
        let groups = inPathOrder(TestGroups(of: self).groups)
        let known = zip(tests.indices, durations).compactMap { kind(of: $0) == .test ? $1 : nil }.sorted()
        let median = known.isEmpty ? 1 : max(1, known[known.count / 2])
        let weights = groups.map { group in
            group.reduce(Int64(0)) { sum, test in
                let weight =
                    skip(of: test) != nil ? 0 : durations.indices.contains(test) ? durations[test] ?? median : median
                let (total, overflow) = sum.addingReportingOverflow(max(0, weight))
                return overflow ? .max : total
            }
        }
        var isOfShard = [Bool](repeating: false, count: tests.count)
        for (group, location) in zip(groups, ShardBalancer.shards(of: weights, among: shard.count))
        where location == shard.index - 1 {
            for test in group { isOfShard[test] = true }
        }
        // A setup that was selected without tests does not belong to a group.
        if groups.isEmpty, shard.index == 1 { return Share(plan: self, groups: 0) }
        return Share(plan: keeping { isOfShard[$0] }, groups: groups.count)
    }

    /// Returns the groups ordered by the paths of their suites, to be independent of the order of paths on the command
    /// line.
    private func inPathOrder(_ groups: [[Int]]) -> [[Int]] {
        let order = suites.indices.sorted { left, right in
            let (left, right) = (suites[left], suites[right])
            if left.path == right.path { return left.documentIndex < right.documentIndex }
            return left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
        }
        var ranks = [Int](repeating: 0, count: suites.count)
        for (rank, suite) in order.enumerated() { ranks[suite] = rank }
        func location(of test: Int) -> (Int, Int) { (ranks[tests[test].suite], test) }
        let first = groups.map { group in group.map(location).min(by: <) ?? (0, 0) }
        return groups.indices.sorted { first[$0] < first[$1] }.map { groups[$0] }
    }
}
