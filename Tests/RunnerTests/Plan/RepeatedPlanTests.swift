import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("A plan with repeated tests")
struct RepeatedPlanTests {
    private let chain = [
        Suites.test(0, "add"), Suites.test(1, "read", after: [.init(test: 0, reason: .capture(name: "id"))]),
    ]

    @Test("Each repetition of a test follows its dependencies and its previous repetition")
    func concurrent() {
        let plan = TestPlan(suites: [Suites.suite(chain)]).repeated(3)
        #expect(
            plan.tests.map(\.reference.name) == [
                "add (1 of 3)", "read (1 of 3)", "add (2 of 3)", "read (2 of 3)", "add (3 of 3)", "read (3 of 3)",
            ])
        #expect(plan.tests.map(\.round) == [0, 0, 1, 1, 2, 2])
        #expect(plan.tests.map { $0.edges.map(\.test) } == [[], [0], [0], [2, 1], [2], [4, 3]])
        #expect(plan.tests[3].edges.map(\.reason) == [.capture(name: "id"), .order])
        #expect(plan.testsOfSuite == [0..<6])
        #expect(plan.tests.map(\.reference.position) == Array(0..<6))
    }

    @Test("The repetitions of a serial suite run one after another")
    func serial() {
        let suite = Suites.suite([Suites.test(0, "a"), Suites.test(1, "b")], mode: .serial)
        let plan = TestPlan(suites: [suite]).repeated(2)
        #expect(plan.tests.map { $0.edges.map(\.test) } == [[], [0], [1], [2]])
    }

    @Test("Setup and teardown run once, around all repetitions")
    func setup() {
        var setup = Suites.test(0, "setup")
        setup.kind = .setup
        let test = Suites.test(1, "t", after: [.init(test: 0, reason: .setup)])
        var teardown = Suites.test(2, "teardown")
        teardown.kind = .teardown
        let first = TestPlan(suites: [Suites.suite([setup, test, teardown])])
        // The loader sets the edges of the teardown.
        var entries = Array(first.tests)
        entries[2].edges = [.init(test: 0, reason: .order), .init(test: 1, reason: .order)]
        let plan = TestPlan(suites: first.suites, tests: entries, testsOfSuite: first.testsOfSuite).repeated(2)
        #expect(plan.tests.map(\.reference.name) == ["setup", "t (1 of 2)", "t (2 of 2)", "teardown"])
        #expect(plan.tests.map { $0.edges.map(\.test) } == [[], [0], [0, 1], [0, 1, 2]])
        #expect(plan.testCount == 2)
    }

    @Test("A plan that is repeated once stays the same")
    func once() {
        let plan = TestPlan(suites: [Suites.suite(chain)])
        #expect(plan.repeated(1).tests.map(\.reference.name) == ["add", "read"])
    }

    @Test("A repeated plan has no cycles", arguments: 0..<100)
    func acyclic(seed: Int) {
        var random = TestRandom(seed: UInt64(seed) + 9_000)
        let plan = TestPlan(suites: random.suites())
        let rounds = random.number(1...4)
        let repeated = plan.repeated(rounds)
        let tests = plan.testCount
        #expect(repeated.testCount == tests * rounds)
        // All edges of these plans lead to preceding tests.
        for (index, entry) in repeated.tests.enumerated() {
            #expect(entry.edges.allSatisfy { $0.test < index })
        }
    }
}
