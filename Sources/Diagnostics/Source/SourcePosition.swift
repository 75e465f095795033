/// A place in a text, as editors count it.
public struct SourcePosition: Sendable, Hashable, Comparable {
    /// The line, counted from 1.
    public var line: Int32
    /// The column, counted from 1 in Unicode scalars.
    public var column: Int32

    /// Creates a position from a line and a column, both counted from 1.
    public init(line: Int32, column: Int32) {
        self.line = line
        self.column = column
    }

    /// Creates a position from a line and a column of any size, which are clamped to what a position can hold.
    public init(line: Int, column: Int) {
        self.line = Int32(clamping: line)
        self.column = Int32(clamping: column)
    }

    /// Orders positions by line, then by column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        left.line == right.line ? left.column < right.column : left.line < right.line
    }
}
