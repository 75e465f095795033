public import Diagnostics

/// Rows that are kept in memory.
public struct RowTable: Sendable {
    /// The names of the columns.
    public var columns: [String]
    /// The rows, each with a value for each column.
    public var rows: [[ValueTemplate]]
    /// The places of the rows; empty when they have none.
    public var ranges: [SourceRange]

    /// Creates a table.
    public init(columns: [String], rows: [[ValueTemplate]], ranges: [SourceRange] = []) {
        self.columns = columns
        self.rows = rows
        self.ranges = ranges
    }
}
