import Diagnostics

/// The nodes of one document in flat arrays.
///
/// A node is a record; the children of a collection are a run of record indices, so that aliased nodes are shared.
final class YAMLArena: Sendable {
    /// Maps with more members than this have an index by key.
    static let largestUnindexedCount = 16

    let file: SourceFile
    let records: [NodeRecord]
    /// The texts of all scalars, one after another.
    let bytes: [UInt8]
    let children: [Int32]
    /// For each large map, by its record's index: the position of every key's record within the map's children.
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

    /// Calls `body` with the bytes of a scalar's text.
    @inline(__always)
    func withText<Result>(of record: NodeRecord, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[record.content])) }
    }

    /// A scalar's text.
    func text(of record: NodeRecord) -> String {
        withText(of: record) { String(decoding: $0, as: UTF8.self) }
    }

    /// The position among a map's children of the key with a text, or nil.
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

    /// The position behind a node's last visible character.
    ///
    /// A block scalar ends, for the parser, at the next line with other content.
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

/// A node as an arena stores it: what it is, where it is, and where its content is found.
struct NodeRecord {
    enum Kind: UInt8 {
        case scalar, sequence, mapping
        /// A reference to an anchored node.
        case alias
    }

    var kind: Kind
    /// The style of a scalar.
    var style: YAMLScalar.Style = .plain
    /// Whether a list or map is written with brackets.
    var isFlow = false
    var tag: CoreTag = .none
    /// What a scalar is by the core schema.
    var form = ScalarForm.string
    /// Where the content begins, behind an anchor and a tag.
    var startLine: Int32
    var startColumn: Int32
    /// The position behind the content; for what ends with a block scalar it may be the beginning of a later line.
    var endLine: Int32
    var endColumn: Int32
    /// Where a scalar's text begins, or the index of a collection's first child, or of the node an alias stands for.
    var first: UInt32 = 0
    /// The number of a text's bytes, or of children; keys and values of a map are counted both.
    var count: UInt32 = 0

    @inline(__always)
    init(kind: Kind, start: SourcePosition, end: SourcePosition) {
        self.kind = kind
        startLine = start.line
        startColumn = start.column
        endLine = end.line
        endColumn = end.column
    }

    /// The bytes of a scalar's text among those of its document, or the run of a collection's children.
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

/// A short text in two machine words, so that finding a key among a map's is a few comparisons of integers.
public struct PackedName: Sendable, Equatable {
    /// The bytes that a text may have.
    public static let capacity = 16

    /// The first eight bytes, the first of them lowest.
    public let low: UInt64
    /// The bytes behind ``low``.
    public let high: UInt64

    /// Packs a text, or gives nil when it is longer than ``capacity`` or holds a zero byte.
    public init?(_ name: String) {
        var name = name
        guard let packed = name.withUTF8({ PackedName($0) }) else { return nil }
        self = packed
    }

    /// Packs the bytes of a text.
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

    /// The bytes, at most eight, from an offset.
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

    /// Whether one of a word's first bytes is zero.
    @inline(__always)
    private static func hasZero(_ word: UInt64, count: Int) -> Bool {
        let filled = count >= 8 ? word : word | (UInt64.max << UInt64(count * 8))
        return (filled &- 0x0101_0101_0101_0101) & ~filled & 0x8080_8080_8080_8080 != 0
    }
}
