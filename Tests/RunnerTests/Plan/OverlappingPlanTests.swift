import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("A serial plan with tests that overlap")
struct OverlappingPlanTests {
    private func plan(_ count: Int) -> TestPlan {
        TestPlan(suites: [Suites.suite((0..<count).map { Suites.test($0, "\($0)") }, mode: .serial)])
    }

    @Test("The tests of a range wait for the test before them, and the next one waits for all of them")
    func barriers() {
        let plan = plan(6).overlapping([1..<4])
        #expect(
            plan.tests.map(\.edges) == [
                [], [.init(test: 0, reason: .order)], [.init(test: 0, reason: .order)],
                [.init(test: 0, reason: .order)], [.init(test: 1, reason: .order, count: 3)],
                [.init(test: 4, reason: .order)],
            ])
    }

    @Test("Adjacent ranges follow each other, and so do tests outside of them")
    func adjacent() {
        let plan = plan(5).overlapping([0..<2, 2..<4])
        #expect(plan.tests.map { $0.edges.map(\.tests) } == [[], [], [0..<2], [0..<2], [2..<4]])
    }

    @Test("A test still follows those that it depends on")
    func dependencies() {
        let capture = SuiteTest.Dependency(test: 0, reason: .capture(name: "id"))
        let tests = [
            Suites.test(0, "list"), Suites.test(1, "read", after: [capture]),
            Suites.test(2, "change", after: [capture]),
        ]
        let plan = TestPlan(suites: [Suites.suite(tests, mode: .serial)]).overlapping([0..<2])
        #expect(plan.tests[1].edges == [.init(test: 0, reason: .capture(name: "id"))])
        #expect(
            plan.tests[2].edges == [
                .init(test: 0, reason: .capture(name: "id")), .init(test: 0, reason: .order, count: 2),
            ])
    }

    @Test("Ranges outside of the plan, and those of a single test, change nothing", arguments: [[], [1..<2], [7..<9]])
    func unchanged(ranges: [Range<Int>]) {
        #expect(plan(3).overlapping(ranges).tests.map(\.edges) == plan(3).tests.map(\.edges))
    }
}
