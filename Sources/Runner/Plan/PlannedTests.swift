import SuiteModel

/// The tests of a plan, suite by suite, in file order.
///
/// The rows of a test need no memory of their own, because their entries are created on access.
public struct PlannedTests: Sendable, RandomAccessCollection {
    /// A test with its own entry, or the rows of a test that are planned together.
    struct Unit: Sendable {
        /// The indices of the tests.
        let range: Range<Int>
        /// The rows; nil for a test with its own entry.
        let rows: PlannedRows?
    }

    /// A range of consecutive tests: separate entries, or the rows of one test.
    private struct Block: Sendable {
        /// The index of the first test in the block.
        var start: Int
        /// The offset of the block's entries in ``entries``.
        var offset: Int
        /// The rows; nil if the block consists of entries.
        var rows: PlannedRows?
        /// The dependencies of each row.
        var edges: [TestPlan.Edge] = []
    }

    private var entries: [TestPlan.Entry] = []
    private var blocks: [Block] = []
    /// The number of tests.
    public private(set) var endIndex = 0

    /// The index of the first test.
    public var startIndex: Int { 0 }

    /// Creates an empty collection.
    init() {}

    /// Creates a collection of tests.
    init(_ entries: [TestPlan.Entry]) {
        self.entries = entries
        endIndex = entries.count
        if !entries.isEmpty { blocks = [Block(start: 0, offset: 0)] }
    }

    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
    }

    /// Adds a test.
    mutating func append(_ entry: TestPlan.Entry) {
        if blocks.last.map({ $0.rows != nil }) ?? true { blocks.append(Block(start: endIndex, offset: entries.count)) }
        entries.append(entry)
        endIndex += 1
    }

    /// Adds the rows of a test.
    mutating func append(_ rows: PlannedRows) {
        guard rows.count > 0 else { return }
        blocks.append(Block(start: endIndex, offset: entries.count, rows: rows))
        endIndex += rows.count
    }

    /// Sets the dependencies of the tests in a block, which are a single entry or all rows of one test.
    mutating func set(_ edges: [TestPlan.Edge], from index: Int) {
        let block = position(ofBlockWith: index)
        if blocks[block].rows != nil {
            blocks[block].edges = edges
        } else {
            entries[blocks[block].offset + index - blocks[block].start].edges = edges
        }
    }

    /// Returns the test at an index.
    public subscript(index: Int) -> TestPlan.Entry {
        let block = position(ofBlockWith: index)
        let position = index - blocks[block].start
        guard let rows = blocks[block].rows else { return entries[blocks[block].offset + position] }
        return rows.entry(at: position, edges: blocks[block].edges)
    }

    /// Returns the dependencies of a test.
    func edges(of index: Int) -> [TestPlan.Edge] {
        let block = position(ofBlockWith: index)
        if blocks[block].rows != nil { return blocks[block].edges }
        return entries[blocks[block].offset + index - blocks[block].start].edges
    }

    /// Returns the index of a test's suite and the index of the test within the suite.
    func location(of index: Int) -> (suite: Int, test: Int) {
        let block = position(ofBlockWith: index)
        if let rows = blocks[block].rows { return (rows.first.suite, rows.first.test) }
        let entry = blocks[block].offset + index - blocks[block].start
        return (entries[entry].suite, entries[entry].test)
    }

    /// The tests in order, without entries for the rows that are planned together.
    var units: [Unit] {
        var units: [Unit] = []
        for (position, block) in blocks.enumerated() {
            let range = block.start..<end(ofBlock: position)
            if block.rows != nil {
                units.append(Unit(range: range, rows: block.rows))
            } else {
                units += range.map { Unit(range: $0..<$0 + 1, rows: nil) }
            }
        }
        return units
    }

    /// Calls the closure with each edge of the tests that depend on others, in order.
    func forEachEdge(_ body: (_ index: Int, _ edge: TestPlan.Edge) -> Void) {
        for (position, block) in blocks.enumerated() {
            let end = end(ofBlock: position)
            if block.rows != nil {
                if block.edges.isEmpty { continue }
                for index in block.start..<end { for edge in block.edges { body(index, edge) } }
            } else {
                for index in block.start..<end {
                    for edge in entries[block.offset + index - block.start].edges { body(index, edge) }
                }
            }
        }
    }

    /// Returns the index after the last test of a block.
    private func end(ofBlock position: Int) -> Int {
        position + 1 < blocks.count ? blocks[position + 1].start : endIndex
    }

    /// Returns the position of the block that contains a test.
    private func position(ofBlockWith index: Int) -> Int {
        var low = 0
        var high = blocks.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if blocks[middle].start <= index { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
