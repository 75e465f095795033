public import RunModel
import SuiteModel

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
    /// with tests of their suite.
    ///
    /// - Parameters:
    ///   - durations: The previous duration of each test in nanoseconds, or nil if unknown. An unknown duration counts
    ///     as the median of the known ones. If the array is empty, all tests count the same. Only balanced shards use
    ///     the durations.
    ///   - workingDirectory: The absolute path of the directory that paths of suites are relative to. Only hash shards
    ///     use it.
    public func share(of shard: Shard, durations: [Int64?] = [], workingDirectory: String = "/") -> Share {
        let groups = TestGroups(of: self)
        // A setup that was selected without tests does not belong to a group.
        if groups.groups.isEmpty, shard.index == 1 { return Share(plan: self, groups: 0) }
        switch shard.division.rule {
        case .balanced: return balancedShare(of: shard, among: groups, durations: durations)
        case .hash: return hashShare(of: shard, among: groups, workingDirectory: workingDirectory)
        }
    }

    /// Returns a shard's part of the plan, where each shard has about the same number of tests or the same duration.
    ///
    /// The distribution depends only on the plan and the durations.
    private func balancedShare(of shard: Shard, among groups: TestGroups, durations: [Int64?]) -> Share {
        let groups = inPathOrder(groups.tests)
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
