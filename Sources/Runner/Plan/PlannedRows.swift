import Basics
import Diagnostics
import RunModel
import SuiteModel

/// Rows of a test as tests of a plan: their common properties and the differences between them.
final class PlannedRows: Sendable {
    /// The entry of the first row of the test, with the position of the first planned row.
    let first: TestPlan.Entry
    /// The names of all rows of the test.
    let names: RowNames
    /// The indices of the planned rows in ascending order; nil if all rows are planned.
    private let rows: [UInt32]?
    /// The number of rows of the test.
    private let totalCount: Int
    /// The rows, if they have their own locations in the suite.
    private let locations: TestData?
    private let file: SourceFile

    /// The number of planned rows.
    var count: Int { rows?.count ?? totalCount }

    /// Creates all rows of a test from the entry of the first row.
    init(_ data: TestData, first: TestPlan.Entry, names: RowNames, file: SourceFile) {
        self.first = first
        self.names = names
        self.file = file
        rows = nil
        totalCount = data.count
        locations = data.hasLocations ? data : nil
    }

    /// Creates some rows of a test, or the same rows at another location of a plan.
    private init(_ other: PlannedRows, first: TestPlan.Entry, rows: [UInt32]?) {
        self.first = first
        self.rows = rows
        names = other.names
        file = other.file
        totalCount = other.totalCount
        locations = other.locations
    }

    /// Returns the rows whose names satisfy a condition, in four bytes of memory per row.
    ///
    /// - Parameters:
    ///   - prefix: The hash of the input before each name.
    ///   - isWanted: Whether to keep a row, by the hash of the input and its name.
    func keeping(hashedAfter prefix: StableHash, where isWanted: (StableHash) -> Bool) -> PlannedRows {
        var kept: [UInt32] = []
        names.forEachHash(count: totalCount, after: prefix) { row, hash in
            if isWanted(hash) { kept.append(UInt32(row)) }
        }
        if let rows {
            let planned = Set(rows)
            kept.removeAll { !planned.contains($0) }
        }
        return PlannedRows(self, first: first, rows: kept)
    }

    /// Returns the rows at another location of a plan.
    ///
    /// - Parameters:
    ///   - suite: The index of the suite.
    ///   - position: The position of the first planned row in the suite.
    func moved(toSuite suite: Int, position: Int) -> PlannedRows {
        var first = first
        first.suite = suite
        first.reference.suite = suite
        first.reference.position = position
        return PlannedRows(self, first: first, rows: rows)
    }

    /// Returns a row as a test of the plan.
    ///
    /// - Parameters:
    ///   - position: The index among the planned rows.
    ///   - edges: The dependencies of the row.
    func entry(at position: Int, edges: [TestPlan.Edge]) -> TestPlan.Entry {
        let row = rows.map { Int($0[position]) } ?? position
        var entry = first
        entry.row = row
        entry.edges = edges
        entry.reference.position += position
        entry.reference.ordinal += row
        entry.reference.name = names[row]
        if let range = locations?.range(ofRow: row, in: file) { entry.reference.range = range }
        return entry
    }
}

/// A test expanded into its rows, or a test without rows, and the selection among them.
struct RowExpansion {
    /// The selected rows.
    enum Selected {
        case all
        case none
        case some([Bool])
    }

    /// The number of rows, or 1 for a test without rows.
    let count: Int
    private let selected: Selected

    /// Whether any row is selected.
    var isAnySelected: Bool {
        switch selected {
        case .all: count > 0
        case .none: false
        case .some(let rows): rows.contains(true)
        }
    }

    /// Whether all rows are selected.
    var isWhole: Bool {
        switch selected {
        case .all: true
        case .none: count == 0
        case .some(let rows): !rows.contains(false)
        }
    }

    /// Expands the test at an index.
    ///
    /// - Parameter isLimited: Whether only tests marked with `only` run.
    init(_ index: Int, of suite: Suite, selection: TestSelection, isLimited: Bool, names: SuiteNames) {
        if selection.takesEverything, !isLimited, suite.tests[index].data == nil {
            // The usual case, without a copy of the test.
            count = 1
            selected = suite.tests[index].kind == .test ? .all : .none
            return
        }
        let test = suite.tests[index]
        guard let data = test.data else {
            // Setup and teardown are selected individually only by their location.
            let mayRun = test.kind == .test ? test.isOnly || !isLimited : !selection.takesEverything
            count = 1
            selected = mayRun && selection.includes(test, of: suite) ? .all : .none
            return
        }
        count = data.count
        guard test.isOnly || !isLimited else {
            selected = .none
            return
        }
        guard !selection.takesEverything else {
            selected = .all
            return
        }
        let lines = Self.rowLines(selection, of: test, in: suite)
        let names = names.names(of: test, data)
        selected = .some(
            (0..<data.count).map { row in
                selection.includes(test, of: suite, rowName: names[row])
                    && (lines.isEmpty || Self.contains(data.range(ofRow: row, in: suite.file), anyOf: lines))
            })
    }

    /// Returns whether a row is selected.
    func isSelected(_ row: Int) -> Bool {
        switch selected {
        case .all: true
        case .none: false
        case .some(let rows): rows[row]
        }
    }

    /// Returns the selected lines if all of them are in rows of the test; empty if one of them selects the entire test.
    private static func rowLines(_ selection: TestSelection, of test: SuiteTest, in suite: Suite) -> [Int32] {
        let lines = selection.locations.filter { $0.path == suite.path && test.lines.contains($0.line) }.map(\.line)
        guard !lines.isEmpty, let data = test.data else { return [] }
        let rows = data.sources.flatMap { source -> [SourceRange] in
            guard case .table(let table) = source else { return [] }
            return table.ranges.filter { $0.file == suite.file }
        }
        let areInRows = lines.allSatisfy { line in
            rows.contains { ($0.start.line...max($0.start.line, $0.end.line)).contains(line) }
        }
        return areInRows ? lines : []
    }

    private static func contains(_ range: SourceRange?, anyOf lines: [Int32]) -> Bool {
        guard let range else { return false }
        return lines.contains { (range.start.line...max(range.start.line, range.end.line)).contains($0) }
    }
}

/// The groups of rows that other tests depend on as a whole.
///
/// An edge to a test with rows represents edges to all of them. Each group counts as one node, so the cost of
/// dependencies between tests with rows is the sum of their row counts and not the product.
public struct RowGroups: Sendable {
    /// The tests of each group, which are consecutive.
    private(set) var ranges: [Range<Int>] = []
    /// For each group, the tests that depend on it.
    private(set) var dependents: [TestPlan.DependentList] = []
    private var groups: [Int: Int] = [:]

    /// Adds an edge to the tests of a range.
    mutating func add(_ dependent: TestPlan.Dependent, to range: Range<Int>) {
        if let group = groups[range.lowerBound] {
            dependents[group].append(dependent)
            return
        }
        let group = ranges.count
        ranges.append(range)
        dependents.append(TestPlan.DependentList())
        dependents[group].append(dependent)
        groups[range.lowerBound] = group
    }

    /// Returns the group that contains a test, or nil.
    func group(of index: Int) -> Int? {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].range.upperBound <= index { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, sorted[low].range.contains(index) else { return nil }
        return sorted[low].group
    }

    /// The groups ordered by their tests, available after `finish()`.
    private var sorted: [(range: Range<Int>, group: Int)] = []

    /// Prepares the groups for lookup once all edges are added.
    mutating func finish() {
        sorted = ranges.indices.map { (ranges[$0], $0) }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
}
