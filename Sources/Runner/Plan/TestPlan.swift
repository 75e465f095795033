public import RunModel
public import SuiteModel

/// The plan of a run: the selected tests and their dependency graph, as a value.
public struct TestPlan: Sendable {
    /// An edge of the plan's graph.
    public struct Edge: Sendable, Hashable {
        /// The index in ``TestPlan/tests`` of the test that must finish first.
        ///
        /// For a test with rows, this is the index of the first row.
        public var test: Int
        /// The reason for the dependency.
        public var reason: SuiteTest.Reason
        /// The number of tests that must finish first. It exceeds 1 for a test with rows, which are consecutive.
        public var count = 1

        /// The tests that must finish first.
        var tests: Range<Int> { test..<test + count }
    }

    /// A test that depends on another.
    struct Dependent: Sendable, Hashable {
        /// The index of the dependent test.
        var test: Int32
        /// Whether the dependency is only one of order, so that the outcome of the other test is irrelevant.
        var isOrder: Bool
    }

    /// Tests that depend on another, where the rows of a test take as much memory as one of them.
    struct DependentList: Sendable, Sequence {
        private var ranges: [(tests: Range<Int32>, isOrder: Bool)] = []

        /// Whether no test depends on the other.
        var isEmpty: Bool { ranges.isEmpty }

        /// Adds a test.
        mutating func append(_ dependent: Dependent) {
            if let last = ranges.last, last.tests.upperBound == dependent.test, last.isOrder == dependent.isOrder {
                ranges[ranges.count - 1].tests = last.tests.lowerBound..<dependent.test + 1
            } else {
                ranges.append((dependent.test..<dependent.test + 1, dependent.isOrder))
            }
        }

        /// Returns an iterator over the tests, in the order in which they were added.
        func makeIterator() -> some IteratorProtocol<Dependent> {
            ranges.lazy.flatMap { range in
                range.tests.lazy.map { Dependent(test: $0, isOrder: range.isOrder) }
            }.makeIterator()
        }
    }

    /// A test of the plan.
    public struct Entry: Sendable {
        /// The suite's index in ``TestPlan/suites``.
        public var suite: Int
        /// The test's index in its suite.
        public var test: Int
        /// The index of the row for a test with rows, starting at 0.
        public var row: Int?
        /// The reference that events use for the test.
        public var reference: TestReference
        /// The dependencies of the test.
        public var edges: [Edge]
        /// Whether the test was selected; false if the plan contains it only as a dependency of a selected test.
        public var isSelected: Bool
        /// The index of the repetition, starting at 0.
        public var round = 0
        /// The number of repetitions.
        public var rounds = 1

        /// The name that events use for the test, without the number of the repetition.
        var nameInAllRounds: String {
            rounds == 1 ? reference.name : String(reference.name.dropLast(" (\(round + 1) of \(rounds))".count))
        }
    }

    /// Whether only some tests were requested, so others may be omitted.
    var isPartial = false
    /// For each suite, a digest that changes only with its files; empty if no report needs the digests.
    var digests: [String] = []
    /// The suites with at least one planned test, in the order of the run.
    public let suites: [Suite]
    /// The tests, suite by suite, in file order.
    public let tests: PlannedTests
    /// For each suite, the indices of its tests in ``tests``.
    public let testsOfSuite: [Range<Int>]
    /// For each test, the tests that depend on it individually.
    private let dependents: [Int: DependentList]
    /// Whether any test depends on another.
    let hasEdges: Bool
    /// The groups of rows that other tests depend on.
    let groups: RowGroups

    /// Creates a plan of the selected tests and their dependencies.
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
            // A suite without planned tests is not part of the run, so its server does not start.
            guard tests.count > start else { continue }
            planned.append(suite)
            ranges.append(start..<tests.count)
        }
        self.init(suites: planned, tests: tests, testsOfSuite: ranges)
        isPartial = !selection.takesEverything
    }

    /// Creates a plan from tests with known dependencies.
    init(suites: [Suite], tests: [Entry], testsOfSuite: [Range<Int>]) {
        self.init(suites: suites, tests: PlannedTests(tests), testsOfSuite: testsOfSuite)
    }

    /// Creates a plan from tests with known dependencies.
    init(suites: [Suite], tests: PlannedTests, testsOfSuite: [Range<Int>]) {
        var dependents: [Int: DependentList] = [:]
        var groups = RowGroups()
        var hasEdges = false
        tests.forEachEdge { index, edge in
            hasEdges = true
            let dependent = Dependent(test: Int32(index), isOrder: edge.reason == .order)
            if edge.count == 1 {
                dependents[edge.test, default: DependentList()].append(dependent)
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

    /// Whether the end of a test can allow another one to start: a dependent test, a teardown, or the holder of a lock.
    var hasWaitingTests: Bool {
        hasEdges || suites.contains { $0.tests.contains { !$0.locks.isEmpty || $0.kind == .teardown } }
    }

    /// Returns whether other tests depend on the test, by itself or as one of a group of rows.
    func isNeeded(_ index: Int) -> Bool {
        hasEdges && (dependents[index] != nil || groups.group(of: index) != nil)
    }

    /// Returns the tests that depend on the test individually.
    func dependents(of index: Int) -> DependentList {
        hasEdges ? dependents[index] ?? DependentList() : DependentList()
    }

    /// Returns the index of a test's suite.
    func suite(of index: Int) -> Int {
        tests.location(of: index).suite
    }

    /// Returns the rows of a test, or nil if it has none.
    func data(of entry: Entry) -> TestData? {
        suites[entry.suite].tests[entry.test].data
    }

    /// The number of tests, without setups and teardowns.
    public var testCount: Int { suites.indices.reduce(0) { $0 + testCount(ofSuite: $1) } }

    /// Returns the number of tests of a suite without its setup and teardown, which are the first and the last test.
    private func testCount(ofSuite suite: Int) -> Int {
        let range = testsOfSuite[suite]
        let setups = range.prefix { kind(of: $0) == .setup }.count
        let teardowns = range.dropFirst(setups).reversed().prefix { kind(of: $0) == .teardown }.count
        return range.count - setups - teardowns
    }

    /// The tests of all suites that are marked with `only`.
    public var limitingTests: [SuiteTest] {
        suites.flatMap { suite in suite.tests.indices.filter { suite.tests[$0].isOnly }.map { suite.tests[$0] } }
    }

    /// Returns the kind of a test.
    func kind(of index: Int) -> TestKind {
        let location = tests.location(of: index)
        return suites[location.suite].tests[location.test].kind
    }

    /// Returns the reason why the test is skipped, or nil. Accessed in place, because a copy of a test retains a dozen
    /// references.
    func skip(of index: Int) -> String? {
        let location = tests.location(of: index)
        return suites[location.suite].tests[location.test].skip
    }

    /// Returns whether the suite states that the test fails, at least under a condition.
    func isExpectedToFail(_ index: Int) -> Bool {
        let location = tests.location(of: index)
        return suites[location.suite].tests[location.test].expectedFailure != nil
    }

    /// Returns the names of the resource locks that the test holds while it runs.
    func locks(of index: Int) -> [String] {
        let location = tests.location(of: index)
        return suites[location.suite].tests[location.test].locks
    }

    /// Returns the information about a suite before it starts.
    public func info(of suite: Int) -> SuiteInfo {
        var info = SuiteInfo(
            index: suite, name: suites[suite].name, path: suites[suite].path,
            documentIndex: suites[suite].documentIndex, baseURL: suites[suite].baseURL?.constantText,
            environment: suites[suite].environment, testCount: testCount(ofSuite: suite))
        info.annotations = suites[suite].annotations
        if digests.indices.contains(suite) { info.digest = digests[suite] }
        return info
    }

    /// Appends the selected tests of one suite and their dependencies.
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
            // Accessed by index, because moving a test out of the array would copy it entirely.
            if suite.mode != .serial, suite.tests[index].dependencies.isEmpty { continue }
            let test = suite.tests[index]
            var edges: [Edge] = []
            for dependency in test.dependencies where dependency.reason != .order && !planned[dependency.test].isEmpty {
                let tests = planned[dependency.test]
                edges.append(Edge(test: tests.lowerBound, reason: dependency.reason, count: tests.count))
            }
            // In a serial suite, each test follows the previous planned test, even if others between them are not
            // planned.
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

    /// Returns whether the rows of a test are planned as a block: all of them run, with the same dependencies.
    private static func arePlannedAsRows(
        _ test: SuiteTest, of suite: Suite, as expansion: RowExpansion
    ) -> Bool {
        test.data != nil && expansion.isWhole && expansion.count > 0 && suite.mode != .serial
    }

    /// Appends a test, or its selected rows.
    ///
    /// - Parameter isWhole: Whether all rows are planned, because another test depends on them.
    private static func append(
        _ index: Int, of suite: Suite, at suiteIndex: Int, as expansion: RowExpansion, _ names: SuiteNames,
        isWhole: Bool, start: Int, to tests: inout PlannedTests
    ) {
        var reference = TestReference(
            suite: suiteIndex, position: tests.count - start, name: "", id: suite.tests[index].id,
            tags: suite.tests[index].tags, hasSteps: suite.tests[index].hasSteps, range: suite.tests[index].range)
        reference.annotations = suite.tests[index].annotations
        reference.kind = suite.tests[index].kind
        reference.isVerbose = suite.tests[index].isVerbose
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

    /// Returns the selected tests and their transitive dependencies, plus the setup and teardown of the suite.
    ///
    /// - Returns: For each test, whether it is planned, and whether another test depends on it.
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
