import Diagnostics
import RunModel
import SuiteModel

/// All rows of a test as tests of a plan: what they have in common, and what each has of its own.
final class PlannedRows: Sendable {
    /// The entry of the first row.
    let first: TestPlan.Entry
    /// What each row is called.
    let names: RowNames
    /// The number of rows.
    let count: Int
    /// The rows, where they have places of their own in the suite.
    private let places: TestData?
    private let file: SourceFile

    /// Plans the rows of a test, of which `first` is the first one.
    init(_ data: TestData, first: TestPlan.Entry, names: RowNames, file: SourceFile) {
        self.first = first
        self.names = names
        self.file = file
        count = data.count
        places = data.hasPlaces ? data : nil
    }

    /// A row as a test of the plan.
    ///
    /// - Parameter edges: What must be done before it.
    func entry(at row: Int, edges: [TestPlan.Edge]) -> TestPlan.Entry {
        var entry = first
        entry.row = row
        entry.edges = edges
        entry.reference.position += row
        entry.reference.ordinal += row
        entry.reference.name = names[row]
        if let range = places?.range(ofRow: row, in: file) { entry.reference.range = range }
        return entry
    }
}

/// A test as its rows, or as the one that it is without any: which of them are selected.
struct RowExpansion {
    /// Which rows are selected.
    enum Selected {
        case all
        case none
        case some([Bool])
    }

    /// The number of rows, or 1 of a test without any.
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

    /// Whether no row is left out.
    var isWhole: Bool {
        switch selected {
        case .all: true
        case .none: count == 0
        case .some(let rows): !rows.contains(false)
        }
    }

    /// Expands the test with an index.
    ///
    /// - Parameter isLimited: Whether only tests that say so are to run.
    init(_ index: Int, of suite: Suite, selection: TestSelection, isLimited: Bool, names: SuiteNames) {
        if selection.takesEverything, !isLimited, suite.tests[index].data == nil {
            // As nearly always, and without a copy of the test.
            count = 1
            selected = suite.tests[index].kind == .test ? .all : .none
            return
        }
        let test = suite.tests[index]
        guard let data = test.data else {
            // Setup and teardown are wanted for themselves only by their place.
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

    /// Whether a row is selected.
    func isSelected(_ row: Int) -> Bool {
        switch selected {
        case .all: true
        case .none: false
        case .some(let rows): rows[row]
        }
    }

    /// The lines of places that all lie in rows of the test; none when one means the whole test.
    private static func rowLines(_ selection: TestSelection, of test: SuiteTest, in suite: Suite) -> [Int32] {
        let lines = selection.places.filter { $0.path == suite.path && test.lines.contains($0.line) }.map(\.line)
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

/// The groups of rows that other tests wait for as a whole.
///
/// An edge to a test with rows stands for edges to all of them; in a group they are one, so that tests with rows that
/// wait for tests with rows cost their sum and not their product.
public struct RowGroups: Sendable {
    /// The tests of each group, which follow one another.
    private(set) var ranges: [Range<Int>] = []
    /// For each group, the tests that wait for it.
    private(set) var dependents: [[TestPlan.Dependent]] = []
    private var groups: [Int: Int] = [:]

    /// Adds an edge to the tests of a range.
    mutating func add(_ dependent: TestPlan.Dependent, to range: Range<Int>) {
        if let group = groups[range.lowerBound] {
            dependents[group].append(dependent)
            return
        }
        let group = ranges.count
        ranges.append(range)
        dependents.append([dependent])
        groups[range.lowerBound] = group
    }

    /// The group that a test is in, if any.
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

    /// The groups in the order of their tests; made when all edges are there.
    private var sorted: [(range: Range<Int>, group: Int)] = []

    /// Makes the groups ready to be asked for.
    mutating func finish() {
        sorted = ranges.indices.map { (ranges[$0], $0) }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
}
