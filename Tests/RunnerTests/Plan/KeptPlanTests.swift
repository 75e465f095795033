import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("A plan reduced to some of its tests")
struct KeptPlanTests {
    @Test("A filtered plan keeps the dependencies of the tests it keeps")
    func dependencies() {
        let suite = Suites.suite([
            Suites.test(0, "add"), Suites.test(1, "other"),
            Suites.test(2, "read", after: [.init(test: 0, reason: .needs)]),
        ])
        let plan = TestPlan(suites: [suite]).keeping { $0 == 2 }
        #expect(plan.tests.map(\.reference.name) == ["add", "read"])
        #expect(plan.tests.map(\.isSelected) == [false, true])
        #expect(plan.tests[1].edges == [.init(test: 0, reason: .needs)])
        #expect(plan.tests.indices.map { plan.dependents(of: $0).map(\.test) } == [[1], []])
    }

    @Test("A filtered plan keeps the order of a serial suite across removed tests")
    func serial() {
        let tests = (0..<5).map { Suites.test($0, "t\($0)") }
        let plan = TestPlan(suites: [Suites.suite(tests, mode: .serial)]).keeping { $0 != 1 && $0 != 2 }
        #expect(plan.tests.map(\.reference.name) == ["t0", "t3", "t4"])
        #expect(plan.tests.map { $0.edges.map(\.test) } == [[], [0], [1]])
    }

    @Test("A filtered plan omits suites without remaining tests")
    func suites() {
        let suites = ["a", "b", "c"].map { Suites.suite([Suites.test(0, "t")], path: $0) }
        let plan = TestPlan(suites: suites).keeping { $0 == 2 }
        #expect(plan.suites.map(\.path) == ["c"])
        #expect(plan.tests.map(\.suite) == [0] && plan.tests.map(\.reference.suite) == [0])
        #expect(TestPlan(suites: suites).keeping { _ in false }.tests.isEmpty)
    }

    @Test("Filtering a plan gives the same result as planning with the selection", arguments: 0..<200)
    func sameAsSelection(seed: Int) {
        var random = TestRandom(seed: UInt64(seed) + 20_000)
        let suites = random.suites()
        let selection = TestSelection(excludedTags: [.tag("a")])
        let direct = TestPlan(suites: suites, selection: selection)
        let everything = TestPlan(suites: suites)
        let kept = everything.keeping { index in
            let entry = everything.tests[index]
            let suite = everything.suites[entry.suite]
            return selection.includes(suite.tests[entry.test], of: suite)
        }
        #expect(kept.tests.map(\.reference.name) == direct.tests.map(\.reference.name))
        #expect(kept.suites.map(\.path) == direct.suites.map(\.path))
        #expect(kept.testsOfSuite == direct.testsOfSuite)
    }
}
