public import Basics
public import Diagnostics
public import JSON

/// The rows of a test that are written in the suite or loaded into memory.
public struct RowTable: Sendable {
    /// The names of the columns.
    public var columns: [String]
    /// The rows, each with one value per column.
    public var rows: [[ValueTemplate]]
    /// The source ranges of the rows; empty if they have none.
    public var ranges: [SourceRange]
    /// Whether the values are generated from schemas.
    public var isGenerated: Bool

    /// Creates a table.
    public init(columns: [String], rows: [[ValueTemplate]], ranges: [SourceRange] = [], isGenerated: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.ranges = ranges
        self.isGenerated = isGenerated
    }
}

/// A source of the rows of a test.
public enum RowSource: Sendable {
    /// Rows in memory.
    case table(RowTable)
    /// Rows that are read from a file on demand.
    case file(any RowFile)
    /// A number of repetitions, which are rows without columns.
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

/// A file of rows that is validated while loading and read again on demand.
public protocol RowFile: Sendable {
    /// The path of the file, for messages.
    var path: String { get }
    /// The names of the columns.
    var columns: [String] { get }
    /// The number of rows.
    var count: Int { get }

    /// Returns the line on which a row starts, from 1.
    ///
    /// - Parameter row: The index of the row, from 0.
    func line(ofRow row: Int) -> Int

    /// Returns the values of a row, one per column.
    ///
    /// - Parameter row: The index of the row, from 0.
    /// - Throws: ``RowError`` when the file has changed since it was validated.
    func values(ofRow row: Int) throws(RowError) -> [JSONValue]
}

/// An error that occurs when a row of a file cannot be read while the suite runs.
public struct RowError: Error, Sendable, Hashable {
    /// The description of the error: one sentence without a final period.
    public var message: MessageText

    /// Creates an error.
    public init(message: MessageText) {
        self.message = message
    }
}

/// Variable-length integers: seven bits per byte, least significant bits first.
package enum Varint {
    /// Appends a nonnegative number.
    package static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Reads a number and advances the index past it.
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
