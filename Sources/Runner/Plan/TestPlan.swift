public import RunModel
public import SuiteModel

/// What a run will do: the selected tests and the graph of what waits for what, as a value.
public struct TestPlan: Sendable {
    /// An edge of the plan's graph.
    public struct Edge: Sendable, Hashable {
        /// The index in ``TestPlan/tests`` of the test that must be done before.
        ///
        /// Of a test with rows, that of the first row.
        public var test: Int
        /// Why.
        public var reason: SuiteTest.Reason
        /// How many tests must be done: more than one for a test with rows, which follow one another.
        public var count = 1

        /// The tests that must be done.
        var tests: Range<Int> { test..<test + count }
    }

    /// A test that waits for another.
    struct Dependent: Sendable, Hashable {
        /// The index of the test that waits.
        var test: Int32
        /// Whether it waits whatever comes of the other.
        var isOrder: Bool
    }

    /// A test of the plan.
    public struct Entry: Sendable {
        /// The suite's index in ``TestPlan/suites``.
        public var suite: Int
        /// The test's index in its suite.
        public var test: Int
        /// The index of the row of a test with rows, from 0.
        public var row: Int?
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
    /// For each suite what is the same as long as its files are; empty when no report asks for it.
    var digests: [String] = []
    /// The suites of which at least one test is planned, in the order of the run.
    public let suites: [Suite]
    /// The tests, suite by suite, in file order.
    public let tests: PlannedTests
    /// For each suite, its tests' indices in ``tests``.
    public let testsOfSuite: [Range<Int>]
    /// The tests that wait for a single other one, by that one's index.
    private let dependents: [Int: [Dependent]]
    /// Whether any test waits for another.
    let hasEdges: Bool
    /// The tests with rows that others wait for.
    let groups: RowGroups

    /// Plans the selected tests of the suites and all that they depend on.
    public init(suites: [Suite], selection: TestSelection = TestSelection()) {
        var tests = PlannedTests()
        var ranges: [Range<Int>] = []
        tests.reserveCapacity(suites.reduce(0) { $0 + $1.tests.count })
        var planned: [Suite] = []
        let isLimited = suites.contains { suite in suite.tests.indices.contains { suite.tests[$0].isOnly } }
        for suite in suites {
            let start = tests.count
            let names = SuiteNames(suite)
            let expansions = suite.tests.indices.map { index in
                RowExpansion(index, of: suite, selection: selection, isLimited: isLimited, names: names)
            }
            Self.append(suite, at: planned.count, expansions, names, to: &tests)
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
        self.init(suites: suites, tests: PlannedTests(tests), testsOfSuite: testsOfSuite)
    }

    private init(suites: [Suite], tests: PlannedTests, testsOfSuite: [Range<Int>]) {
        var dependents: [Int: [Dependent]] = [:]
        var groups = RowGroups()
        var hasEdges = false
        tests.forEachEdge { index, edge in
            hasEdges = true
            let dependent = Dependent(test: Int32(index), isOrder: edge.reason == .order)
            if edge.count == 1 {
                dependents[edge.test, default: []].append(dependent)
            } else {
                groups.add(dependent, to: edge.tests)
            }
        }
        groups.finish()
        self.hasEdges = hasEdges
        self.suites = suites
        self.tests = tests
        self.testsOfSuite = testsOfSuite
        self.dependents = dependents
        self.groups = groups
    }

    /// Whether the end of a test may be what another one starts after: as it waits for it, for all of its suite, or for a lock.
    var hasWaitingTests: Bool {
        hasEdges || suites.contains { $0.tests.contains { $0.lock != nil || $0.kind == .teardown } }
    }

    /// Whether another test waits for the test, alone or with the other rows of its test.
    func isNeeded(_ index: Int) -> Bool {
        hasEdges && (dependents[index] != nil || groups.group(of: index) != nil)
    }

    /// The tests that wait for the test alone.
    func dependents(of index: Int) -> [Dependent] {
        hasEdges ? dependents[index] ?? [] : []
    }

    /// The index of a test's suite.
    func suite(of index: Int) -> Int {
        tests.place(of: index).suite
    }

    /// The rows of a test that has some.
    func data(of entry: Entry) -> TestData? {
        suites[entry.suite].tests[entry.test].data
    }

    /// Tests without setups and teardowns.
    public var testCount: Int { suites.indices.reduce(0) { $0 + testCount(ofSuite: $1) } }

    /// Tests of a suite without its setup and teardown, which are the first and the last.
    private func testCount(ofSuite suite: Int) -> Int {
        let range = testsOfSuite[suite]
        let setups = range.prefix { kind(of: $0) == .setup }.count
        let teardowns = range.dropFirst(setups).reversed().prefix { kind(of: $0) == .teardown }.count
        return range.count - setups - teardowns
    }

    /// The tests that say that only tests like them are to run, of all suites of the run.
    public var limitingTests: [SuiteTest] {
        suites.flatMap { suite in suite.tests.indices.filter { suite.tests[$0].isOnly }.map { suite.tests[$0] } }
    }

    /// What the test is to its suite.
    func kind(of index: Int) -> TestKind {
        let place = tests.place(of: index)
        return suites[place.suite].tests[place.test].kind
    }

    /// Why the test is skipped, or nil; read in place, as a copy of a test costs a dozen references.
    func skip(of index: Int) -> String? {
        let place = tests.place(of: index)
        return suites[place.suite].tests[place.test].skip
    }

    /// The name of the lock that the test holds while it runs.
    func lock(of index: Int) -> String? {
        let place = tests.place(of: index)
        return suites[place.suite].tests[place.test].lock
    }

    /// What events say of a suite before it has started.
    public func info(of suite: Int) -> SuiteInfo {
        var info = SuiteInfo(
            index: suite, name: suites[suite].name, path: suites[suite].path,
            documentIndex: suites[suite].documentIndex, baseURL: suites[suite].baseURL?.constantText,
            environment: suites[suite].environment, testCount: testCount(ofSuite: suite))
        info.annotations = suites[suite].annotations
        if digests.indices.contains(suite) { info.digest = digests[suite] }
        return info
    }

    /// Appends the wanted tests of one suite.
    private static func append(
        _ suite: Suite, at suiteIndex: Int, _ expansions: [RowExpansion], _ names: SuiteNames,
        to tests: inout PlannedTests
    ) {
        let (wanted, needed) = closure(of: expansions.map(\.isAnySelected), in: suite)
        var planned = [Range<Int>](repeating: 0..<0, count: suite.tests.count)
        let start = tests.count
        for index in suite.tests.indices where wanted[index] {
            let first = tests.count
            append(
                index, of: suite, at: suiteIndex, as: expansions[index], names, isWhole: needed[index],
                start: start, to: &tests)
            planned[index] = first..<tests.count
        }
        for index in suite.tests.indices where !planned[index].isEmpty {
            // By index, as a test that is taken out of its array is copied whole.
            if suite.mode != .serial, suite.tests[index].dependencies.isEmpty { continue }
            let test = suite.tests[index]
            var edges: [Edge] = []
            for dependency in test.dependencies where dependency.reason != .order && !planned[dependency.test].isEmpty {
                let tests = planned[dependency.test]
                edges.append(Edge(test: tests.lowerBound, reason: dependency.reason, count: tests.count))
            }
            // In a serial suite each test follows the one planned before it, whichever were left out between them.
            guard suite.mode == .serial && test.kind == .test else {
                if edges.isEmpty { continue }
                if arePlannedAsRows(test, of: suite, as: expansions[test.index]) {
                    tests.set(edges, from: planned[test.index].lowerBound)
                } else {
                    for index in planned[test.index] { tests.set(edges, from: index) }
                }
                continue
            }
            for index in planned[test.index] {
                let isOrdered = index > start && !edges.contains(where: { $0.tests.contains(index - 1) })
                tests.set(isOrdered ? edges + [Edge(test: index - 1, reason: .order)] : edges, from: index)
            }
        }
    }

    /// Whether the rows of a test are planned together: all of them run, and each waits for the same.
    private static func arePlannedAsRows(
        _ test: SuiteTest, of suite: Suite, as expansion: RowExpansion
    ) -> Bool {
        test.data != nil && expansion.isWhole && expansion.count > 0 && suite.mode != .serial
    }

    /// Appends a test, or those of its rows that are wanted.
    ///
    /// - Parameter isWhole: Whether all rows are wanted, since another test waits for them.
    private static func append(
        _ index: Int, of suite: Suite, at suiteIndex: Int, as expansion: RowExpansion, _ names: SuiteNames,
        isWhole: Bool, start: Int, to tests: inout PlannedTests
    ) {
        var reference = TestReference(
            suite: suiteIndex, position: tests.count - start, name: "", id: suite.tests[index].id,
            tags: suite.tests[index].tags, hasSteps: suite.tests[index].hasSteps, range: suite.tests[index].range)
        reference.annotations = suite.tests[index].annotations
        reference.kind = suite.tests[index].kind
        let isSelected = suite.tests[index].kind != .test
        guard let data = suite.tests[index].data else {
            reference.name = names.name(ofTest: index, in: suite)
            tests.append(
                Entry(
                    suite: suiteIndex, test: index, row: nil, reference: reference, edges: [],
                    isSelected: isSelected || expansion.isSelected(0)))
            return
        }
        let test = suite.tests[index]
        let names = names.names(of: test, data)
        if arePlannedAsRows(test, of: suite, as: expansion) {
            let first = Entry(
                suite: suiteIndex, test: test.index, row: 0, reference: reference, edges: [], isSelected: true)
            tests.append(PlannedRows(data, first: first, names: names, file: suite.file))
            return
        }
        for row in 0..<expansion.count where isWhole || expansion.isSelected(row) {
            reference.position = tests.count - start
            reference.ordinal = reference.position
            reference.name = names[row]
            reference.range = data.range(ofRow: row, in: suite.file) ?? test.range
            tests.append(
                Entry(
                    suite: suiteIndex, test: test.index, row: row, reference: reference, edges: [],
                    isSelected: isSelected || expansion.isSelected(row)))
        }
    }

    /// The selected tests and, transitively, all whose captures or exchanges they need; with any of them, the suite's
    /// setup and teardown.
    ///
    /// - Returns: For each test whether it is wanted, and whether that is so since another one waits for it.
    private static func closure(of selected: [Bool], in suite: Suite) -> (wanted: [Bool], needed: [Bool]) {
        var wanted = selected
        var needed = selected.map { _ in false }
        var pending = suite.tests.indices.filter { selected[$0] }
        while let index = pending.popLast() {
            for dependency in suite.tests[index].dependencies where dependency.reason != .order {
                needed[dependency.test] = true
                if !wanted[dependency.test] {
                    wanted[dependency.test] = true
                    pending.append(dependency.test)
                }
            }
        }
        if wanted.contains(true) {
            for index in suite.tests.indices where suite.tests[index].kind != .test {
                wanted[suite.tests[index].index] = true
            }
        }
        return (wanted, needed)
    }
}
