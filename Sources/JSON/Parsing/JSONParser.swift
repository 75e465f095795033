/// Reads JSON texts strictly by RFC 8259, within limits.
///
/// Of what the standard leaves to a parser: a byte order mark and an escape of half a surrogate pair are refused, as is any
/// text that is not UTF-8; numbers may be of any size and keep their digits; of members with one name
/// ``duplicateMembers`` says which counts.
public struct JSONParser: Sendable, Hashable {
    /// What a text may demand of the parser at most.
    public struct Limits: Sendable, Hashable {
        /// How deep arrays and objects may be nested; values over 2,048 count as 2,048.
        public var maximumDepth: Int
        /// How long a text may be, in bytes.
        public var maximumBytes: Int

        /// Makes limits; the defaults fit any API's responses.
        public init(maximumDepth: Int = 512, maximumBytes: Int = 1 << 30) {
            self.maximumDepth = maximumDepth
            self.maximumBytes = maximumBytes
        }
    }

    /// What to do with an object that gives one member name several times (RFC 8259 §4 leaves it open).
    public enum DuplicateMembers: Sendable, Hashable {
        /// The text is refused.
        case reject
        /// The first value counts.
        case keepFirst
        /// The last value counts, at the place of the first, as most parsers do.
        case keepLast
    }

    /// The depth beyond which a limit has no effect: whatever walks a value or frees it does so recursively, on a thread's
    /// stack.
    private static let deepestNesting = 2048
    /// How many members that repeat a name are told at most.
    public static let largestDuplicateCount = 20

    /// What a text may demand of the parser.
    public var limits: Limits
    /// What to do with repeated member names.
    public var duplicateMembers: DuplicateMembers

    /// Makes a parser.
    public init(limits: Limits = Limits(), duplicateMembers: DuplicateMembers = .keepLast) {
        self.limits = limits
        self.duplicateMembers = duplicateMembers
    }

    /// Reads one JSON text in UTF-8, which must fill `bytes` but for white space.
    public func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONParseError) -> JSONValue {
        var duplicates: [JSONDuplicateMember] = []
        return try parse(bytes, duplicates: &duplicates)
    }

    /// Reads one JSON text in UTF-8, which must fill `bytes` but for white space.
    ///
    /// - Parameter duplicates: Is set to the members that have the name of an earlier one of their object, in the order in
    ///   which the objects end; to the first `largestDuplicateCount` of them.
    public func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, duplicates: inout [JSONDuplicateMember]
    ) throws(JSONParseError) -> JSONValue {
        duplicates = []
        guard bytes.count <= limits.maximumBytes else {
            throw JSONParseError(
                message: "the text is \(bytes.count) bytes long; at most \(limits.maximumBytes) are read",
                byteOffset: 0, line: 1, column: 1)
        }
        var reader = JSONReader(
            bytes, maximumDepth: min(limits.maximumDepth, JSONParser.deepestNesting), duplicateMembers: duplicateMembers
        )
        let value = try reader.readText()
        duplicates = reader.duplicates
        return value
    }

    /// Reads one JSON text in UTF-8, which must fill `bytes` but for white space.
    ///
    /// - Parameter duplicates: Is set to the members that have the name of an earlier one of their object, in the order in
    ///   which the objects end; to the first `largestDuplicateCount` of them.
    public func parse(
        _ bytes: [UInt8], duplicates: inout [JSONDuplicateMember]
    ) throws(JSONParseError) -> JSONValue {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONParseError) in try parse(buffer, duplicates: &duplicates)
        }
    }

    /// Reads one JSON text in UTF-8, which must fill `bytes` but for white space.
    public func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONParseError) -> JSONValue {
        try parse(bytes.assumingMemoryBound(to: UInt8.self))
    }

    /// Reads one JSON text in UTF-8, which must fill `bytes` but for white space.
    public func parse(_ bytes: [UInt8]) throws(JSONParseError) -> JSONValue {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONParseError) in try parse(buffer) }
    }

    /// Reads one JSON text, which must fill `text` but for white space.
    public func parse(_ text: String) throws(JSONParseError) -> JSONValue {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(JSONParseError) in try parse(bytes) }
        }
        return try result.get()
    }
}

extension JSONValue {
    /// Reads one JSON text in UTF-8 with the default limits.
    public init(parsing bytes: [UInt8]) throws(JSONParseError) {
        self = try JSONParser().parse(bytes)
    }

    /// Reads one JSON text with the default limits.
    public init(parsing text: String) throws(JSONParseError) {
        self = try JSONParser().parse(text)
    }
}

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
