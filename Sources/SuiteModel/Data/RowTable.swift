public import Diagnostics
public import JSON

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

/// A file whose rows were checked and counted, and are read again when they are needed.
public protocol RowFile: Sendable {
    /// The path as the user is shown it.
    var path: String { get }
    /// The names of the columns.
    var columns: [String] { get }
    /// The number of rows.
    var count: Int { get }

    /// The line of the file on which a row begins, from 1.
    ///
    /// - Parameter row: The index of the row, from 0.
    func line(ofRow row: Int) -> Int

    /// The values of a row, one for each column.
    ///
    /// - Parameter row: The index of the row, from 0.
    /// - Throws: ``RowError`` when the file is not what it was when it was checked.
    func values(ofRow row: Int) throws(RowError) -> [JSONValue]
}

/// Why a row of a file cannot be read while the suite runs.
public struct RowError: Error, Sendable, Hashable {
    /// One sentence without a final full stop.
    public var message: String

    /// Creates an error.
    public init(message: String) {
        self.message = message
    }
}

/// Numbers in as many bytes as they need, seven bits in each, the lowest first.
package enum Varint {
    /// Appends a number, which is not negative.
    package static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Reads a number and moves the index behind it.
    @inline(__always)
    package static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Int {
        var number: UInt = 0
        var shift: UInt = 0
        while true {
            let byte = bytes[index]
            index += 1
            number |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return Int(bitPattern: number) }
            shift += 7
        }
    }
}
