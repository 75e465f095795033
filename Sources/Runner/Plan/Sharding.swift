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

/// The groups of a plan's tests that must stay in the same shard.
///
/// Tests belong together if one depends on the other (captures, exchanges, `needs`), if their suite is serial, or if
/// they use the same resource lock. A suite's setup and teardown do not belong to a group, because they run in every
/// shard with tests of the suite.
struct TestGroups {
    /// The tests of each group in plan order. The groups are in the order of their first tests.
    private(set) var groups: [[Int]] = []

    /// Finds the groups.
    init(of plan: TestPlan) {
        var parents = Array(plan.tests.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        func join(_ first: Int, _ second: Int) {
            let (first, second) = (root(first), root(second))
            // The first test of a group is its representative.
            if first != second { parents[max(first, second)] = min(first, second) }
        }

        var holders: [String: Int] = [:]
        var rows: Set<Int> = []
        for index in plan.tests.indices where plan.kind(of: index) == .test {
            for edge in plan.tests[index].edges where plan.kind(of: edge.test) == .test {
                join(index, edge.test)
                // The rows of a test that another test depends on are visited once.
                if edge.count > 1, rows.insert(edge.test).inserted {
                    for row in edge.tests { join(edge.test, row) }
                }
            }
            for lock in plan.locks(of: index) {
                if let holder = holders[lock] { join(index, holder) } else { holders[lock] = index }
            }
        }
        for range in plan.testsOfSuite where plan.suites[plan.tests[range.lowerBound].suite].mode == .serial {
            // A setup may be missing between the tests, so the chain of edges is not sufficient.
            var last: Int?
            for index in range where plan.kind(of: index) == .test {
                if let last { join(index, last) }
                last = index
            }
        }
        var locations: [Int: Int] = [:]
        for index in plan.tests.indices where plan.kind(of: index) == .test {
            let root = root(index)
            if let location = locations[root] {
                groups[location].append(index)
            } else {
                locations[root] = groups.count
                groups.append([index])
            }
        }
    }
}

/// A distribution of weights among shards: the heaviest first, each to the shard with the lowest total so far.
///
/// The heaviest shard has at most 4/3 − 1/(3·shards) times the weight of an optimal distribution (R. L. Graham, "Bounds
/// on Multiprocessing Timing Anomalies", 1969). The distribution depends only on the weights and their order.
enum ShardBalancer {
    /// Returns the shard of each weight, starting at 0.
    ///
    /// - Parameters:
    ///   - weights: The weights to distribute. Equal weights are processed in order.
    ///   - shards: The number of shards, at least 1.
    static func shards(of weights: [Int64], among shards: Int) -> [Int] {
        let order = weights.indices.sorted { (weights[$1], $0) < (weights[$0], $1) }
        var result = [Int](repeating: 0, count: weights.count)
        var heap = LoadHeap(count: max(1, shards))
        for index in order { result[index] = heap.add(max(0, weights[index])) }
        return result
    }

    /// A heap of shards, ordered by weight, then by number of items, then by index.
    private struct LoadHeap {
        private struct Load {
            var weight: Int64
            var items: Int
            var shard: Int

            static func < (left: Load, right: Load) -> Bool {
                (left.weight, left.items, left.shard) < (right.weight, right.items, right.shard)
            }
        }

        private var loads: [Load]

        init(count: Int) {
            loads = (0..<count).map { Load(weight: 0, items: 0, shard: $0) }
        }

        /// Adds a weight to the shard with the lowest weight, and returns the shard.
        mutating func add(_ weight: Int64) -> Int {
            let shard = loads[0].shard
            let (sum, overflow) = loads[0].weight.addingReportingOverflow(weight)
            loads[0].weight = overflow ? .max : sum
            loads[0].items += 1
            var index = 0
            while true {
                var minimum = index
                for child in [2 * index + 1, 2 * index + 2] where child < loads.count && loads[child] < loads[minimum] {
                    minimum = child
                }
                if minimum == index { return shard }
                loads.swapAt(minimum, index)
                index = minimum
            }
        }
    }
}
