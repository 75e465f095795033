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
