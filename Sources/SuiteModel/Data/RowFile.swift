public import JSON

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
