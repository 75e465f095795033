public import Diagnostics

/// The rows for each of which a test is run: those of its sources, crossed.
///
/// The first source varies slowest and the last one fastest.
public struct TestData: Sendable {
    /// The most rows that a test can have.
    public static let maximumCount = 1_000_000

    /// Where the rows come from.
    public let sources: [RowSource]
    /// The names of the columns of all sources, in order.
    public let columns: [String]
    /// The number of rows.
    public let count: Int
    /// The name of the test for each row; empty when the name is the same for all.
    public var names: NameList

    /// Creates the rows that some sources give when they are crossed.
    public init(sources: [RowSource], names: NameList = NameList()) {
        self.sources = sources
        self.names = names
        columns = sources.flatMap(\.columns)
        count = Self.count(of: sources.map(\.count)) ?? 0
    }

    /// The product of some numbers, or nil when it is more than ``maximumCount``.
    public static func count(of counts: [Int]) -> Int? {
        if counts.contains(0) { return 0 }
        var product = 1
        for count in counts {
            let (next, overflow) = product.multipliedReportingOverflow(by: count)
            if overflow || next > maximumCount { return nil }
            product = next
        }
        return product
    }

    /// Whether rows may have places of their own in the suite.
    public var hasPlaces: Bool {
        sources.contains { if case .table(let table) = $0 { !table.ranges.isEmpty } else { false } }
    }

    /// For each source, the index of its row.
    ///
    /// - Parameter row: The index of the row of the whole, from 0.
    public func positions(ofRow row: Int) -> [Int] {
        var positions = [Int](repeating: 0, count: sources.count)
        var rest = row
        for index in sources.indices.reversed() {
            let count = max(1, sources[index].count)
            positions[index] = rest % count
            rest /= count
        }
        return positions
    }

    /// The place of a row in the suite, or nil when it does not stand there.
    ///
    /// - Parameters:
    ///   - row: The index of the row, from 0.
    ///   - file: The file of the suite.
    public func range(ofRow row: Int, in file: SourceFile) -> SourceRange? {
        for (source, position) in zip(sources, positions(ofRow: row)) {
            if case .table(let table) = source, table.ranges.indices.contains(position),
                table.ranges[position].file === file
            {
                return table.ranges[position]
            }
        }
        return nil
    }

    /// The file and line of a row that stands in a file of its own, or nil for another.
    ///
    /// - Parameters:
    ///   - row: The index of the row, from 0.
    ///   - file: The file of the suite.
    public func place(ofRow row: Int, outside file: SourceFile) -> (path: String, line: Int)? {
        for (source, position) in zip(sources, positions(ofRow: row)) {
            switch source {
            case .file(let data): return (data.path, data.line(ofRow: position))
            case .table(let table) where table.ranges.indices.contains(position):
                let range = table.ranges[position]
                if range.file !== file { return (range.file.name, Int(range.start.line)) }
            case .table, .repetition: continue
            }
        }
        return nil
    }
}
