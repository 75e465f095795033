/// Where rows of a test come from.
public enum RowSource: Sendable {
    /// Rows that are kept in memory.
    case table(RowTable)
    /// Rows that are read from a file when they are needed.
    case file(any RowFile)
    /// So many rows without a column.
    case repetition(Int)

    /// The number of rows.
    public var count: Int {
        switch self {
        case .table(let table): table.rows.count
        case .file(let file): file.count
        case .repetition(let count): count
        }
    }

    /// The names of the columns.
    public var columns: [String] {
        switch self {
        case .table(let table): table.columns
        case .file(let file): file.columns
        case .repetition: []
        }
    }
}
