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
    /// Of each source its number of rows, and how many rows of the whole follow one another with the same one of its; both
    /// are 1 at least.
    private let strides: [(count: Int, stride: Int)]

    /// Creates the rows that some sources give when they are crossed.
    public init(sources: [RowSource], names: NameList = NameList()) {
        self.sources = sources
        self.names = names
        columns = sources.flatMap(\.columns)
        let counts = sources.map(\.count)
        count = Self.count(of: counts) ?? 0
        var stride = 1
        var strides: [(count: Int, stride: Int)] = []
        for count in counts.reversed() {
            strides.append((max(1, count), stride))
            let (next, overflow) = stride.multipliedReportingOverflow(by: max(1, count))
            // Then there are too many rows, and none is asked for.
            stride = overflow ? stride : next
        }
        self.strides = strides.reversed()
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

    /// The index of the row of one of the sources.
    ///
    /// - Parameters:
    ///   - row: The index of the row of the whole, from 0.
    ///   - source: The index of the source.
    public func position(ofRow row: Int, inSource source: Int) -> Int {
        guard strides.indices.contains(source) else { return 0 }
        let (count, stride) = strides[source]
        return row / stride % count
    }

    /// The place of a row in the suite, or nil when it does not stand there.
    ///
    /// - Parameters:
    ///   - row: The index of the row, from 0.
    ///   - file: The file of the suite.
    public func range(ofRow row: Int, in file: SourceFile) -> SourceRange? {
        for (index, source) in sources.enumerated() {
            let position = position(ofRow: row, inSource: index)
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
        for (index, source) in sources.enumerated() {
            let position = position(ofRow: row, inSource: index)
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
