public import Basics

/// A strict parser of JSON texts (RFC 8259) with limits.
///
/// The standard leaves some cases to parsers. This one rejects a byte order mark, an escaped unpaired surrogate, and
/// text that is not UTF-8. Numbers may have any size and preserve their digits. ``duplicateMembers`` determines the
/// treatment of duplicate member names.
public struct JSONParser: Sendable, Hashable {
    /// The limits of a parser.
    public struct Limits: Sendable, Hashable {
        /// The maximum nesting depth of arrays and objects; values over 2,048 are treated as 2,048.
        public var maximumDepth: Int
        /// The maximum size of a text in bytes.
        public var maximumBytes: Int

        /// Creates limits; the defaults suit the responses of any API.
        public init(maximumDepth: Int = 512, maximumBytes: Int = 1 << 30) {
            self.maximumDepth = maximumDepth
            self.maximumBytes = maximumBytes
        }
    }

    /// The treatment of duplicate member names in an object (RFC 8259, section 4 leaves it open).
    public enum DuplicateMembers: Sendable, Hashable {
        /// The text is rejected.
        case reject
        /// The first value is kept.
        case keepFirst
        /// The last value is kept, at the position of the first, as in most parsers.
        case keepLast
    }

    /// The depth beyond which a limit has no effect: traversing or freeing a value recurses on a thread's stack.
    private static let deepestNesting = 2048
    /// The maximum number of reported duplicate members.
    public static let maximumDuplicateCount = 20

    /// The limits of the parser.
    public var limits: Limits
    /// The treatment of duplicate member names.
    public var duplicateMembers: DuplicateMembers

    /// Creates a parser.
    public init(limits: Limits = Limits(), duplicateMembers: DuplicateMembers = .keepLast) {
        self.limits = limits
        self.duplicateMembers = duplicateMembers
    }

    /// Parses a JSON text in UTF-8, which must fill `bytes` except for whitespace.
    public func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONParseError) -> JSONValue {
        var duplicates: [JSONDuplicateMember] = []
        return try parse(bytes, duplicates: &duplicates)
    }

    /// Parses a JSON text in UTF-8, which must fill `bytes` except for whitespace.
    ///
    /// - Parameter duplicates: Set to the members that repeat a previous name of their object, in the order in which
    ///   the objects end, but at most `maximumDuplicateCount` of them.
    public func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, duplicates: inout [JSONDuplicateMember]
    ) throws(JSONParseError) -> JSONValue {
        duplicates = []
        guard bytes.count <= limits.maximumBytes else {
            throw JSONParseError(
                message: "the JSON text of \(bytes.count) bytes exceeds the maximum of \(limits.maximumBytes) bytes",
                byteOffset: 0, line: 1, column: 1)
        }
        var reader = JSONReader(
            bytes, maximumDepth: min(limits.maximumDepth, JSONParser.deepestNesting), duplicateMembers: duplicateMembers
        )
        let value = try reader.readText()
        duplicates = reader.duplicates
        return value
    }

    /// Parses a JSON text in UTF-8, which must fill `bytes` except for whitespace.
    ///
    /// - Parameter duplicates: Set to the members that repeat a previous name of their object, in the order in which
    ///   the objects end, but at most `maximumDuplicateCount` of them.
    public func parse(
        _ bytes: [UInt8], duplicates: inout [JSONDuplicateMember]
    ) throws(JSONParseError) -> JSONValue {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONParseError) in try parse(buffer, duplicates: &duplicates)
        }
    }

    /// Parses a JSON text in UTF-8, which must fill `bytes` except for whitespace.
    public func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONParseError) -> JSONValue {
        try parse(bytes.assumingMemoryBound(to: UInt8.self))
    }

    /// Parses a JSON text in UTF-8, which must fill `bytes` except for whitespace.
    public func parse(_ bytes: [UInt8]) throws(JSONParseError) -> JSONValue {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONParseError) in try parse(buffer) }
    }

    /// Parses a JSON text, which must fill `text` except for whitespace.
    public func parse(_ text: String) throws(JSONParseError) -> JSONValue {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(JSONParseError) in try parse(bytes) }
        }
        return try result.get()
    }
}

extension JSONValue {
    /// Creates a value by parsing a JSON text in UTF-8 with the default limits.
    public init(parsing bytes: [UInt8]) throws(JSONParseError) {
        self = try JSONParser().parse(bytes)
    }

    /// Creates a value by parsing a JSON text with the default limits.
    public init(parsing text: String) throws(JSONParseError) {
        self = try JSONParser().parse(text)
    }
}

/// A member that repeats a previous name of its object (RFC 8259, section 4), with its location.
public struct JSONDuplicateMember: Sendable, Hashable, CustomStringConvertible {
    /// The path of the member in the document.
    public let location: NormalizedPath
    /// The byte offset of the repeated name, from 0.
    public let byteOffset: Int
    /// The line of the repeated name, from 1.
    public let line: Int
    /// The column of the repeated name in Unicode scalars, from 1.
    public let column: Int

    /// Creates a record of a duplicate member.
    public init(location: NormalizedPath, byteOffset: Int, line: Int, column: Int) {
        self.location = location
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
    }

    /// The location and the member, such as `line 3, column 5: duplicate member $.user.id`.
    public var description: String {
        "line \(line), column \(column): duplicate member \(location.shorthand)"
    }
}

/// The error of an invalid JSON text, with its location.
public struct JSONParseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected and the actual text, without the location and without a final period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText
    /// A hint for fixing the error, if one is known: `JSON does not allow comments`.
    public let hint: MessageText?
    /// The byte offset of the error, from 0.
    public let byteOffset: Int
    /// The line of the error, from 1.
    public let line: Int
    /// The column of the error in Unicode scalars, from 1.
    public let column: Int

    /// Creates an error with the given location.
    public init(message: MessageText, hint: MessageText? = nil, byteOffset: Int, line: Int, column: Int) {
        wording = message
        self.hint = hint
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
    }

    /// Creates an error at a byte offset and determines its line and column.
    init(message: MessageText, hint: MessageText? = nil, byteOffset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
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

    /// The message, followed by the hint after a semicolon.
    public var explanation: String {
        hint.map { "\(message); \($0)" } ?? message
    }

    /// The location, the message and the hint.
    public var description: String {
        "line \(line), column \(column): \(explanation)"
    }
}
