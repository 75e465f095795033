import Diagnostics
import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Rows in the plan of a run")
struct RowPlanTests {
    /// Returns a test with the given number of rows.
    private func rows(
        _ index: Int, _ name: String, _ count: Int, names: [String] = [], after: [SuiteTest.Dependency] = []
    ) -> SuiteTest {
        var test = Suites.test(index, name, after: after)
        test.data = TestData(sources: [.repetition(count)], names: NameList(names))
        return test
    }

    @Test("Each row is a test with its own name")
    func names() {
        let suite = Suites.suite([
            rows(0, "a", 3), Suites.test(1, "a [2]"), rows(2, "b ${x}", 2, names: ["b 1", "b 1"]), Suites.test(3, "a"),
        ])
        let plan = TestPlan(suites: [suite])
        #expect(
            plan.tests.map(\.reference.name) == ["a", "a [2]", "a [3]", "a [2] [2]", "b 1", "b 1 [2]", "a [4]"])
        #expect(plan.tests.map(\.row) == [0, 1, 2, nil, 0, 1, nil])
        #expect(plan.tests.map(\.reference.position) == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test("A row is selected by its name, and all rows by the name of the test")
    func selection() {
        let suite = Suites.suite([rows(0, "book ${t}", 2, names: ["book Dune", "book Emma"]), Suites.test(1, "other")])
        let one = TestPlan(suites: [suite], selection: TestSelection(patterns: [NamePattern("emma")]))
        #expect(one.tests.map(\.reference.name) == ["book Emma"])
        #expect(one.tests.map(\.row) == [1])
        let all = TestPlan(suites: [suite], selection: TestSelection(patterns: [NamePattern("book")]))
        #expect(all.tests.count == 2)
        let location = TestPlan(
            suites: [suite], selection: TestSelection(locations: [.init(path: "suite.yaml", line: 5)]))
        #expect(location.tests.count == 2)
    }

    @Test("A test that depends on rows has one edge to all of them")
    func edges() throws {
        let suite = Suites.suite([
            rows(0, "a", 3), rows(1, "b", 2, after: [.init(test: 0, reason: .needs)]),
        ])
        let plan = TestPlan(suites: [suite], selection: TestSelection(patterns: [NamePattern("b [2]")]))
        try #require(plan.tests.map(\.reference.name) == ["a", "a [2]", "a [3]", "b [2]"])
        #expect(plan.tests[3].edges == [.init(test: 0, reason: .needs, count: 3)])
        #expect(plan.groups.ranges == [0..<3])
        #expect(plan.groups.dependents.map { $0.map(\.test) } == [[3]])
        #expect((0..<4).map(plan.isNeeded) == [true, true, true, false])
    }

    @Test("Dependencies between rows cost their sum, not their product")
    func sum() {
        let count = 20_000
        let suite = Suites.suite([
            rows(0, "a", count), rows(1, "b", count, after: [.init(test: 0, reason: .capture(name: "x"))]),
        ])
        let plan = TestPlan(suites: [suite])
        #expect(plan.tests.count == 2 * count)
        #expect(plan.tests.reduce(0) { $0 + $1.edges.count } == count)
        #expect(plan.keeping { $0 == 2 * count - 1 }.tests.count == count + 1)
        #expect(plan.repeated(2).tests.count == 4 * count)
    }

    @Test("The rows of a serial suite run one after another")
    func serial() {
        let plan = TestPlan(suites: [Suites.suite([rows(0, "a", 2), Suites.test(1, "b")], mode: .serial)])
        #expect(
            plan.tests.map(\.edges) == [[], [.init(test: 0, reason: .order)], [.init(test: 1, reason: .order)]])
    }

    @Test(
        "The outcome of a row group is its worst outcome",
        arguments: [
            ([.passed, .passed], nil),
            ([.passed, .skipped(reason: "")], nil),
            ([.skipped(reason: "x"), .skipped(reason: "y")], .skipped(reason: "x")),
            ([.passed, .failed], .failed),
            ([.skipped(reason: "x"), .blocked(by: "z")], .blocked(by: "z")),
            ([.failed, .errored], .failed),
        ] as [([TestResult.Outcome], TestResult.Outcome?)])
    func groups(_ outcomes: [TestResult.Outcome], _ expected: TestResult.Outcome?) {
        for order in [[0, 1], [1, 0]] {
            var groups = RowGroups()
            groups.add(.init(test: 2, isOrder: false), to: 0..<2)
            groups.finish()
            var states = RowGroupStates(groups)
            let first = states.finish(order[0], outcome: outcomes[order[0]])?.index
            #expect(first == nil)
            let other = states.finish(5, outcome: .failed)?.index
            #expect(other == nil)
            let end = states.finish(order[1], outcome: outcomes[order[1]])
            #expect(end?.outcome == expected ?? .passed)
            #expect(end?.dependents.map(\.test) == [2])
        }
    }
}
