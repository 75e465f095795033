import Diagnostics

/// The storage of one document: its nodes in flat arrays.
///
/// Each node is a record. The children of a collection are a run of record indices, so aliased nodes are shared.
final class YAMLArena: Sendable {
    /// The maximum number of members of a mapping without a key index.
    static let maximumUnindexedCount = 16

    let file: SourceFile
    let records: [NodeRecord]
    /// The text of all scalars, concatenated.
    let bytes: [UInt8]
    let children: [Int32]
    /// The positions of keys within the children of each large mapping, by the record index of the mapping.
    let keyIndexes: [Int32: [ExactKey: Int32]]

    init(
        file: SourceFile, records: [NodeRecord], bytes: [UInt8], children: [Int32],
        keyIndexes: [Int32: [ExactKey: Int32]]
    ) {
        self.file = file
        self.records = records
        self.bytes = bytes
        self.children = children
        self.keyIndexes = keyIndexes
    }

    /// Calls a closure with the bytes of a scalar's text.
    @inline(__always)
    func withText<Result>(of record: NodeRecord, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[record.content])) }
    }

    /// Returns the text of a scalar.
    func text(of record: NodeRecord) -> String {
        withText(of: record) { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the position of a key among the children of a mapping; nil if the key does not exist.
    func position(of key: String, inMap index: Int32) -> Int? {
        if let positions = keyIndexes[index] { return positions[ExactKey(text: key)].map(Int.init) }
        let content = records[Int(index)].content
        var key = key
        return key.withUTF8 { key in
            bytes.withUnsafeBufferPointer { bytes in
                var position = content.lowerBound
                while position < content.upperBound {
                    var keyRecord = records[Int(children[position])]
                    if keyRecord.kind == .alias { keyRecord = records[Int(keyRecord.first)] }
                    if Int(keyRecord.count) == key.count, bytes[keyRecord.content].elementsEqual(key) {
                        return position - content.lowerBound
                    }
                    position += 2
                }
                return nil
            }
        }
    }

    /// Returns the position after the last visible character of a node.
    ///
    /// For the parser, a block scalar ends at the next line with other content.
    func visibleEnd(of record: NodeRecord) -> SourcePosition {
        var end = record.end
        while end.column == 1, end.line > record.startLine {
            let line = Int(end.line) - 1
            guard let bytes = file.byteRange(ofLine: line) else { break }
            let isBlank = file.text[bytes].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            end =
                isBlank && line > Int(record.startLine)
                ? SourcePosition(line: line, column: 1) : file.position(atByteOffset: bytes.upperBound)
        }
        return max(end, record.start)
    }
}

/// The stored form of a node: its kind, its location, and a reference to its content.
struct NodeRecord {
    enum Kind: UInt8 {
        case scalar, sequence, mapping
        /// A reference to an anchored node.
        case alias
    }

    var kind: Kind
    /// The style of a scalar.
    var style: YAMLScalar.Style = .plain
    /// Whether a collection is written in flow style, with brackets.
    var isFlow = false
    var tag: CoreTag = .none
    /// The type of a scalar in the core schema.
    var form = ScalarForm.string
    /// The start of the content, after an anchor and a tag.
    var startLine: Int32
    var startColumn: Int32
    /// The position after the content. After a block scalar, this may be the start of a later line.
    var endLine: Int32
    var endColumn: Int32
    /// The offset of a scalar's text, the index of a collection's first child, or the index of an alias's target.
    var first: UInt32 = 0
    /// The number of bytes or children; the keys and values of a mapping count separately.
    var count: UInt32 = 0

    @inline(__always)
    init(kind: Kind, start: SourcePosition, end: SourcePosition) {
        self.kind = kind
        startLine = start.line
        startColumn = start.column
        endLine = end.line
        endColumn = end.column
    }

    /// The range of a scalar's text in the document's bytes, or of a collection's children.
    @inline(__always)
    var content: Range<Int> { Int(first)..<Int(first) + Int(count) }

    var start: SourcePosition {
        get { SourcePosition(line: startLine, column: startColumn) }
        set { (startLine, startColumn) = (newValue.line, newValue.column) }
    }

    var end: SourcePosition {
        get { SourcePosition(line: endLine, column: endColumn) }
        set { (endLine, endColumn) = (newValue.line, newValue.column) }
    }
}

/// A short name packed into two machine words, so that looking up a key takes few integer comparisons.
public struct PackedName: Sendable, Equatable {
    /// The maximum length of a name in bytes.
    public static let capacity = 16

    /// The first eight bytes, in little-endian order.
    public let low: UInt64
    /// The bytes after ``low``.
    public let high: UInt64

    /// Creates a packed name; returns nil if the name is longer than ``capacity`` or contains a zero byte.
    public init?(_ name: String) {
        var name = name
        guard let packed = name.withUTF8({ PackedName($0) }) else { return nil }
        self = packed
    }

    /// Packs the bytes of a name.
    @inline(__always)
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let count = bytes.count
        guard count <= Self.capacity else { return nil }
        let raw = UnsafeRawBufferPointer(bytes)
        if count >= 8 {
            low = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
            high = Self.word(raw, from: 8, count: count - 8)
            if Self.hasZero(low, count: 8) || Self.hasZero(high, count: count - 8) { return nil }
        } else {
            low = Self.word(raw, from: 0, count: count)
            high = 0
            // A zero byte would look like the end of a shorter name.
            if Self.hasZero(low, count: count) { return nil }
        }
    }

    /// Returns up to eight bytes from an offset as a word.
    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, from start: Int, count: Int) -> UInt64 {
        if count == 8 { return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
        if count >= 4 {
            let first = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            let last = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + count - 4, as: UInt32.self))
            return UInt64(first) | UInt64(last) << UInt64((count - 4) * 8)
        }
        var word: UInt64 = 0
        for index in 0..<count { word |= UInt64(bytes[start + index]) << UInt64(index * 8) }
        return word
    }

    /// Returns whether one of the first bytes of a word is zero.
    @inline(__always)
    private static func hasZero(_ word: UInt64, count: Int) -> Bool {
        let filled = count >= 8 ? word : word | (UInt64.max << UInt64(count * 8))
        return (filled &- 0x0101_0101_0101_0101) & ~filled & 0x8080_8080_8080_8080 != 0
    }
}
