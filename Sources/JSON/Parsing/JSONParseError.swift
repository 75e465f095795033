/// Why and where a text is not JSON.
public struct JSONParseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected and what was found, without the place and without a final full stop.
    public let message: String
    /// What to do about it, where that can be told from what was found: `JSON has no comments`.
    public let hint: String?
    /// The offset of the offending byte, from 0.
    public let byteOffset: Int
    /// The line of the offending byte, from 1.
    public let line: Int
    /// The column of the offending byte counted in Unicode scalars, from 1.
    public let column: Int

    /// Makes an error with its place given.
    public init(message: String, hint: String? = nil, byteOffset: Int, line: Int, column: Int) {
        self.message = message
        self.hint = hint
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
    }

    /// Makes an error at a byte offset and finds its line and column.
    init(message: String, hint: String? = nil, byteOffset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(byteOffset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(message: message, hint: hint, byteOffset: byteOffset, line: line, column: column)
    }

    /// The message and, after a semicolon, the hint.
    public var explanation: String {
        hint.map { "\(message); \($0)" } ?? message
    }

    /// The place, the message and the hint.
    public var description: String {
        "line \(line), column \(column): \(explanation)"
    }
}
