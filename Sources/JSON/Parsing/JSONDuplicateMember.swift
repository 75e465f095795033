/// A member of an object with the name of an earlier one (RFC 8259 §4): what was said twice, and where.
public struct JSONDuplicateMember: Sendable, Hashable, CustomStringConvertible {
    /// The member's place in the document.
    public let location: NormalizedPath
    /// Where the later member's name begins, in bytes from 0.
    public let byteOffset: Int
    /// The line of the later member's name, from 1.
    public let line: Int
    /// The column of the later member's name counted in Unicode scalars, from 1.
    public let column: Int

    /// Makes a record of a member.
    public init(location: NormalizedPath, byteOffset: Int, line: Int, column: Int) {
        self.location = location
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
    }

    /// The place and what is there, such as `line 3, column 5: $.user.id is there a second time`.
    public var description: String {
        "line \(line), column \(column): \(location.shorthand) is there a second time"
    }
}
