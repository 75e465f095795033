import Basics
import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Hash shards of a plan")
struct HashShardingTests {
    private static func shares(_ plan: TestPlan, _ count: Int, workingDirectory: String = "/") -> [TestPlan] {
        (1...count).compactMap { Shard(index: $0, count: count, rule: .hash) }.map {
            plan.share(of: $0, workingDirectory: workingDirectory).plan
        }
    }

    /// Returns the index of the shard of each test, by the path of its suite and its name.
    private static func assignment(_ suites: [Suite], _ count: Int) -> [String: Int] {
        var result: [String: Int] = [:]
        for (index, share) in shares(TestPlan(suites: suites), count).enumerated() {
            for test in share.tests.indices where share.kind(of: test) == .test {
                let entry = share.tests[test]
                result["\(share.suites[entry.suite].path) \(entry.reference.name)"] = index
            }
        }
        return result
    }

    private static func rows(_ index: Int, _ name: String, _ count: Int, names: [String] = []) -> SuiteTest {
        var test = Suites.test(index, name)
        test.data = TestData(sources: [.repetition(count)], names: NameList(names))
        return test
    }

    @Test("New tests do not move other tests", arguments: 0..<200)
    func additions(seed: Int) {
        var random = TestRandom(seed: UInt64(seed) + 40_000)
        var suites = random.suites()
        let count = random.number(2...9)
        let before = Self.assignment(suites, count)
        for index in suites.indices {
            var tests = suites[index].tests
            var teardown = tests.last?.kind == .teardown ? tests.removeLast() : nil
            for number in 0..<random.number(0...3) { tests.append(Suites.test(tests.count, "new \(number)")) }
            // A test that depends on another one does not move the group that it joins.
            if let test = tests.last, test.kind == .test {
                tests.append(
                    Suites.test(tests.count, "dependent", after: [.init(test: test.index, reason: .needs)]))
            }
            teardown?.index = tests.count
            suites[index].tests = tests + [teardown].compactMap { $0 }
        }
        suites.insert(Suites.suite([Suites.test(0, "t")], path: "another.yaml"), at: 0)
        let after = Self.assignment(suites, count)
        for (test, shard) in before { #expect(after[test] == shard, "\(test) was moved") }
        #expect(after.count > before.count)
    }

    @Test("A serial suite stays in its shard when its tests change")
    func serial() {
        for number in 0..<20 {
            let path = "s\(number).yaml"
            let first = Self.assignment([Suites.suite([Suites.test(0, "a")], mode: .serial, path: path)], 7)
            let tests = [Suites.test(0, "0"), Suites.test(1, "a"), Suites.test(2, "z")]
            let second = Self.assignment([Suites.suite(tests, mode: .serial, path: path)], 7)
            #expect(Set(second.values) == Set(first.values))
        }
    }

    @Test("Rows are assigned one by one, and the rows of other shards need no memory")
    func rows() throws {
        let named = (0..<5_000).map { "book \($0)" }
        let suite = Suites.suite([
            Suites.test(0, "first"), Self.rows(1, "a", 5_000), Self.rows(2, "${x}", 5_000, names: named),
            Suites.test(3, "last"),
        ])
        let plan = TestPlan(suites: [suite])
        let shares = Self.shares(plan, 10)
        var seen: Set<Int> = []
        for share in shares {
            #expect((850...1_150).contains(share.testCount), "\(share.testCount) of 10,002 tests")
            #expect(share.tests.units.count <= 4)
            #expect(share.tests.map(\.reference.position) == Array(0..<share.tests.count))
            for entry in share.tests {
                let original = plan.tests[entry.reference.ordinal]
                #expect(seen.insert(entry.reference.ordinal).inserted)
                #expect(entry.reference.name == original.reference.name)
                #expect(entry.row == original.row && entry.test == original.test)
            }
        }
        #expect(seen.count == plan.tests.count)
        // Shards of rows with separate entries, as after --failed.
        let separate = Self.shares(plan.keeping { _ in true }, 10)
        for (share, other) in zip(shares, separate) {
            #expect(share.tests.map(\.reference.name) == other.tests.map(\.reference.name))
            #expect(share.tests.map(\.reference.ordinal) == other.tests.map(\.reference.ordinal))
        }
        // A shard of a shard.
        let shard = try #require(Shard(index: 3, count: 10, rule: .hash))
        #expect(shares[2].share(of: shard).plan.tests.map(\.row) == shares[2].tests.map(\.row))
        #expect(shares[1].share(of: shard).plan.tests.isEmpty)
    }

    @Test("Rows that another test depends on, or that share a lock, stay together")
    func tiedRows() throws {
        var locked = Self.rows(3, "locked", 50)
        locked.locks = ["l"]
        var dependent = Self.rows(1, "dependent", 3)
        dependent.dependencies = [.init(test: 0, reason: .needs)]
        let suite = Suites.suite([Self.rows(0, "needed", 50), dependent, Suites.test(2, "other"), locked])
        let shares = Self.shares(TestPlan(suites: [suite]), 5)
        for (test, count) in [(0, 50), (1, 3), (2, 1), (3, 50)] {
            #expect(shares.map { $0.tests.count { $0.test == test } }.filter { $0 > 0 } == [count])
        }
        let share = try #require(shares.first { $0.tests.contains { $0.test == 1 } })
        let last = try #require(share.tests.last { $0.test == 1 })
        let edge = try #require(last.edges.first)
        #expect(edge.tests.map { share.tests[$0].test } == Array(repeating: 0, count: 50))
        // A selection of rows with a lock is in the same shard as all of them.
        let pattern = NamePattern("locked [7]")
        let some = Self.shares(
            TestPlan(suites: [suite], selection: TestSelection(patterns: [pattern])), 5)
        #expect(
            some.firstIndex { !$0.tests.isEmpty } == shares.firstIndex { $0.tests.contains { $0.test == 3 } })
    }

    @Test("The spelling of a path and the location of the working directory do not matter")
    func paths() {
        let tests = (0..<50).map { Suites.test($0, "t\($0)") }
        func shares(_ path: String, _ directory: String) -> [[Int]] {
            Self.shares(TestPlan(suites: [Suites.suite(tests, path: path)]), 5, workingDirectory: directory)
                .map { $0.tests.map(\.test) }
        }
        let expected = shares("tests/a.yaml", "/build/1")
        #expect(shares("./tests/../tests/a.yaml", "/build/1") == expected)
        #expect(shares("/home/ci/tests/a.yaml", "/home/ci/") == expected)
        #expect(shares("tests/b.yaml", "/build/1") != expected)
    }

    /// These values must never change, because shards of one run may use different versions of the program.
    @Test("The hashes of identities are the same in every version")
    func contract() {
        let suite = Suites.suite(
            [
                Suites.test(0, "add a book"), Self.rows(1, "row", 2), Suites.test(2, "añadir", lock: "l"),
            ], path: "tests/books.apitest.yaml")
        let plan = TestPlan(suites: [suite, Suites.suite([Suites.test(0, "t")], mode: .serial, path: "serial.yaml")])
        let identities = TestIdentities(of: plan, workingDirectory: "/work")
        let groups = TestGroups(of: plan)
        #expect(
            groups.groups.map { identities.hash(of: $0, in: groups) } == [
                0xB2EA_BF1F_0E6B_9A90, 0xBA51_C946_95C1_7098, 0x48BA_BF22_88D6_5F09, 0x679F_D01C_FD93_7189,
            ])
        #expect(identities.prefix(ofSuite: 0).adding("row [2]").mixed == 0xEF95_C969_3DDA_5D94)
    }
}
