/// Why a record cannot be read, and where.
public struct RecordError: Error, Sendable, Hashable {
    /// The record's path.
    public var path: String
    /// The line, from 1; nil when it is about the whole file.
    public var line: Int?
    /// The column in bytes, from 1.
    public var column: Int?
    /// What is wrong, as one sentence without a final full stop.
    public var message: String

    /// The error as it is printed: with its place before it, when it has one.
    public var text: String {
        guard let line, let column else { return message }
        return "\(path):\(line):\(column): \(message)"
    }

    init(path: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.path = path
        self.line = line
        self.column = column
        self.message = message
    }
}
