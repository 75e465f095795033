public import SuiteModel

/// What a run will do: the selected tests and the graph of what waits for what, as a value.
public struct TestPlan: Sendable {
    /// An edge of the plan's graph.
    public struct Edge: Sendable, Hashable {
        /// The index in ``TestPlan/tests`` of the test that must be done before.
        public var test: Int
        /// Why.
        public var reason: SuiteTest.Reason
    }

    /// A test of the plan.
    public struct Entry: Sendable {
        /// The suite's index in ``TestPlan/suites``.
        public var suite: Int
        /// The test's index in its suite.
        public var test: Int
        /// What events call it.
        public var reference: TestReference
        /// What must be done before.
        public var edges: [Edge]
        /// False for a test that is there only because a selected one depends on it.
        public var isSelected: Bool
        /// The round of a test that is run several times, from 0.
        public var round = 0
        /// How many rounds there are.
        public var rounds = 1

        /// What events call the test, without its round.
        var nameInAllRounds: String {
            rounds == 1 ? reference.name : String(reference.name.dropLast(" (\(round + 1) of \(rounds))".count))
        }
    }

    /// Whether it was asked for some tests, so that others may be left out.
    var isPartial = false
    /// The suites of which at least one test is planned, in the order of the run.
    public let suites: [Suite]
    /// The tests, suite by suite, in file order.
    public let tests: [Entry]
    /// For each suite, its tests' indices in ``tests``.
    public let testsOfSuite: [Range<Int>]
    /// For each test, the tests that wait for it.
    public let dependents: [[Int32]]

    /// Plans the selected tests of the suites and all that they depend on.
    public init(suites: [Suite], selection: TestSelection = TestSelection()) {
        var tests: [Entry] = []
        var ranges: [Range<Int>] = []
        tests.reserveCapacity(suites.reduce(0) { $0 + $1.tests.count })
        var planned: [Suite] = []
        let isLimited = suites.contains { $0.tests.contains(where: \.isOnly) }
        for suite in suites {
            let start = tests.count
            let selected = suite.tests.map { test in
                // Setup and teardown are wanted for themselves only by their place.
                if test.kind != .test { return !selection.takesEverything && selection.includes(test, of: suite) }
                return (test.isOnly || !isLimited) && selection.includes(test, of: suite)
            }
            Self.append(suite, at: planned.count, selected: selected, to: &tests)
            // A suite of which nothing is wanted is no part of the run: its server is not started.
            guard tests.count > start else { continue }
            planned.append(suite)
            ranges.append(start..<tests.count)
        }
        self.init(suites: planned, tests: tests, testsOfSuite: ranges)
        isPartial = !selection.takesEverything
    }

    /// Makes a plan of tests whose edges are known.
    init(suites: [Suite], tests: [Entry], testsOfSuite: [Range<Int>]) {
        var dependents = [[Int32]](repeating: [], count: tests.count)
        for (index, entry) in tests.enumerated() {
            for edge in entry.edges { dependents[edge.test].append(Int32(index)) }
        }
        self.suites = suites
        self.tests = tests
        self.testsOfSuite = testsOfSuite
        self.dependents = dependents
    }

    /// Tests without setups and teardowns.
    public var testCount: Int {
        tests.indices.count { kind(of: $0) == .test }
    }

    /// The tests that say that only tests like them are to run, of all suites of the run.
    public var limitingTests: [SuiteTest] {
        suites.flatMap { $0.tests.filter(\.isOnly) }
    }

    /// What the test is to its suite.
    func kind(of index: Int) -> SuiteTest.Kind {
        suites[tests[index].suite].tests[tests[index].test].kind
    }

    /// Why the test is skipped, or nil; read in place, as a copy of a test costs a dozen references.
    func skip(of index: Int) -> String? {
        suites[tests[index].suite].tests[tests[index].test].skip
    }

    /// The name of the lock that the test holds while it runs.
    func lock(of index: Int) -> String? {
        suites[tests[index].suite].tests[tests[index].test].lock
    }

    /// What events say of a suite before it has started.
    public func info(of suite: Int) -> SuiteInfo {
        SuiteInfo(
            index: suite, name: suites[suite].name, path: suites[suite].path,
            documentIndex: suites[suite].documentIndex, baseURL: suites[suite].baseURL?.constantText,
            environment: suites[suite].environment, testCount: testsOfSuite[suite].count)
    }

    /// Appends the wanted tests of one suite.
    private static func append(
        _ suite: Suite, at suiteIndex: Int, selected: [Bool], to tests: inout [Entry]
    ) {
        let wanted = closure(of: selected, in: suite)
        var positions = [Int](repeating: -1, count: suite.tests.count)
        var names: [String: Int] = [:]
        let start = tests.count
        for test in suite.tests {
            // Counted among all tests, so that a test has the same name whatever was selected beside it.
            let occurrence = (names[test.name] ?? 0) + 1
            names[test.name] = occurrence
            guard wanted[test.index] else { continue }
            positions[test.index] = tests.count
            tests.append(
                Entry(
                    suite: suiteIndex, test: test.index,
                    reference: TestReference(
                        suite: suiteIndex, position: tests.count - start,
                        name: occurrence == 1 ? test.name : "\(test.name) [\(occurrence)]", id: test.id,
                        tags: test.tags, hasSteps: test.hasSteps, range: test.range),
                    edges: [], isSelected: selected[test.index] || test.kind != .test))
        }
        for index in start..<tests.count {
            let test = suite.tests[tests[index].test]
            var edges: [Edge] = []
            for dependency in test.dependencies where dependency.reason != .order && positions[dependency.test] >= 0 {
                edges.append(Edge(test: positions[dependency.test], reason: dependency.reason))
            }
            // In a serial suite each test follows the one planned before it, whichever were left out between them.
            if suite.mode == .serial && index > start && test.kind == .test
                && !edges.contains(where: { $0.test == index - 1 })
            {
                edges.append(Edge(test: index - 1, reason: .order))
            }
            tests[index].edges = edges
        }
    }

    /// The selected tests and, transitively, all whose captures or exchanges they need; with any of them, the suite's
    /// setup and teardown.
    private static func closure(of selected: [Bool], in suite: Suite) -> [Bool] {
        var wanted = selected
        var pending = suite.tests.indices.filter { selected[$0] }
        while let index = pending.popLast() {
            for dependency in suite.tests[index].dependencies where dependency.reason != .order {
                if !wanted[dependency.test] {
                    wanted[dependency.test] = true
                    pending.append(dependency.test)
                }
            }
        }
        if wanted.contains(true) {
            for test in suite.tests where test.kind != .test { wanted[test.index] = true }
        }
        return wanted
    }
}
