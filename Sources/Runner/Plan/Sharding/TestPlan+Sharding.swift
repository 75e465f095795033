import SuiteModel

extension TestPlan {
    /// One shard's share of the tests, and how many groups of tests there were to share out.
    public struct Share: Sendable {
        /// The tests of the shard; it may have none.
        public var plan: TestPlan
        /// The groups of tests that stay together, of all shards.
        public var groups: Int
    }

    /// A shard's share of the plan.
    ///
    /// Every test is in the share of exactly one shard, together with all tests that it is in a group with; setup and
    /// teardown are in every share of their suite. The division depends on the plan and the durations alone.
    ///
    /// - Parameters:
    ///   - durations: For each test how long it took before, in nanoseconds, or nil where that is not known: such a test
    ///     counts as the median of the known ones. Without any, every test counts the same.
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
        for (group, place) in zip(groups, ShardBalancer.shards(of: weights, among: shard.count))
        where place == shard.index - 1 {
            for test in group { isOfShard[test] = true }
        }
        // A setup that is selected alone belongs to no group.
        if groups.isEmpty, shard.index == 1 { return Share(plan: self, groups: 0) }
        return Share(plan: keeping { isOfShard[$0] }, groups: groups.count)
    }

    /// Groups ordered by their suites' paths, so that the order in which paths were given makes no difference.
    private func inPathOrder(_ groups: [[Int]]) -> [[Int]] {
        let order = suites.indices.sorted { left, right in
            let (left, right) = (suites[left], suites[right])
            if left.path == right.path { return left.documentIndex < right.documentIndex }
            return left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
        }
        var ranks = [Int](repeating: 0, count: suites.count)
        for (rank, suite) in order.enumerated() { ranks[suite] = rank }
        func place(of test: Int) -> (Int, Int) { (ranks[tests[test].suite], test) }
        let first = groups.map { group in group.map(place).min(by: <) ?? (0, 0) }
        return groups.indices.sorted { first[$0] < first[$1] }.map { groups[$0] }
    }
}
