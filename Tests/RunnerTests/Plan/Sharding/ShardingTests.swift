import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Shards of a plan")
struct ShardingTests {
    /// The identity of a test: the path of its suite and its index there.
    private struct Key: Hashable {
        let path: String
        let test: Int
    }

    private static func keys(_ plan: TestPlan) -> [Key] {
        plan.tests.indices.filter { plan.kind(of: $0) == .test }.map { key($0, in: plan) }
    }

    private static func key(_ index: Int, in plan: TestPlan) -> Key {
        Key(path: plan.suites[plan.tests[index].suite].path, test: plan.tests[index].test)
    }

    private static func shares(
        _ plan: TestPlan, _ count: Int, _ durations: [Int64?] = [], rule: Shard.Rule = .balanced
    ) -> [TestPlan] {
        (1...count).compactMap { Shard(index: $0, count: count, rule: rule) }.map {
            plan.share(of: $0, durations: durations).plan
        }
    }

    @Test(
        "Shards are complete and disjoint, and keep dependent tests together", arguments: 0..<400,
        [Shard.Rule.balanced, .hash])
    func properties(seed: Int, rule: Shard.Rule) throws {
        var random = TestRandom(seed: UInt64(seed))
        let suites = random.suites()
        let selection = random.happens(30) ? TestSelection(tags: [.tag("a")]) : TestSelection()
        let plan = TestPlan(suites: suites, selection: selection)
        let count = random.number(1...9)
        let durations = plan.tests.map { _ in random.happens(30) ? nil : Int64(random.number(0...1_000)) }
        let shares = Self.shares(plan, count, random.happens(50) ? durations : [], rule: rule)

        var shardOf: [Key: Int] = [:]
        for (shard, share) in shares.enumerated() {
            for key in Self.keys(share) {
                #expect(shardOf.updateValue(shard, forKey: key) == nil, "\(key) is in two shards")
            }
        }
        #expect(Set(shardOf.keys) == Set(Self.keys(plan)))

        var holders: [String: Int] = [:]
        for index in plan.tests.indices where plan.kind(of: index) == .test {
            let shard = try #require(shardOf[Self.key(index, in: plan)])
            for edge in plan.tests[index].edges where plan.kind(of: edge.test) == .test {
                #expect(shardOf[Self.key(edge.test, in: plan)] == shard, "a dependency is in another shard")
            }
            for lock in plan.locks(of: index) {
                #expect(holders[lock] == nil || holders[lock] == shard, "a resource lock is in two shards")
                holders[lock] = shard
            }
        }
        for (shard, share) in shares.enumerated() {
            try check(share, from: plan, shard: shard)
        }
    }

    /// Checks that a shard is a valid plan with the setup and teardown of its suites and the original edges of each
    /// test.
    private func check(_ share: TestPlan, from plan: TestPlan, shard: Int) throws {
        for (suite, range) in share.testsOfSuite.enumerated() {
            #expect(!range.isEmpty)
            let wanted = share.suites[suite].tests.count { $0.kind != .test }
            #expect(range.count { share.kind(of: $0) != .test } == wanted, "setup or teardown is missing")
            #expect(range.map { share.tests[$0].reference.position } == Array(0..<range.count))
            #expect(range.allSatisfy { share.tests[$0].suite == suite && share.tests[$0].reference.suite == suite })
        }
        let locations = Dictionary(
            uniqueKeysWithValues: plan.tests.indices.map { (Self.key($0, in: plan), $0) })
        for index in share.tests.indices {
            let original = plan.tests[try #require(locations[Self.key(index, in: share)])]
            #expect(share.tests[index].reference.name == original.reference.name)
            let needed = original.edges.filter { $0.reason != .order }
            let kept = share.tests[index].edges.filter { $0.reason != .order }
            #expect(needed.map { Self.key($0.test, in: plan) } == kept.map { Self.key($0.test, in: share) })
            #expect(share.tests[index].edges.allSatisfy { share.tests.indices.contains($0.test) })
        }
    }

    @Test("Shards do not depend on the order of the paths", arguments: 0..<50)
    func stable(seed: Int) {
        var random = TestRandom(seed: UInt64(seed) + 5_000)
        let suites = random.suites()
        let first = Self.shares(TestPlan(suites: suites), 4).map { Set(Self.keys($0)) }
        let again = Self.shares(TestPlan(suites: suites), 4).map { Set(Self.keys($0)) }
        let reversed = Self.shares(TestPlan(suites: suites.reversed()), 4).map { Set(Self.keys($0)) }
        #expect(first == again)
        #expect(first == reversed)
    }

    @Test("Shards balance groups by previous durations")
    func durations() {
        let plan = TestPlan(suites: [Suites.suite((0..<4).map { Suites.test($0, "t\($0)") })])
        #expect(Self.shares(plan, 2, [100, 10, 10, 80]).map { $0.tests.map(\.test) } == [[0], [1, 2, 3]])
        // A test with an unknown duration counts as the median, 80 in this case.
        #expect(Self.shares(plan, 2, [100, nil, 10, 80]).map { $0.tests.map(\.test) } == [[0, 2], [1, 3]])
        // Without durations, all tests count the same.
        #expect(Self.shares(plan, 2).map { $0.tests.map(\.test) } == [[0, 2], [1, 3]])
    }

    @Test("Shards are empty if there are more shards than groups")
    func empty() throws {
        let chain = Suites.suite([
            Suites.test(0, "a"), Suites.test(1, "b", after: [.init(test: 0, reason: .needs)]),
        ])
        let share = TestPlan(suites: [chain]).share(of: try #require(Shard(parsing: "2/2")), durations: [])
        #expect(share.plan.tests.isEmpty && share.plan.suites.isEmpty)
        #expect(share.groups == 1)
    }
}
