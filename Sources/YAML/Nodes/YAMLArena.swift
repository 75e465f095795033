import Diagnostics

/// The nodes of one document in flat arrays.
///
/// A node is a record; the children of a collection are a run of record indices, so that aliased nodes are shared.
final class YAMLArena: Sendable {
    /// Maps with more members than this have an index by key.
    static let largestUnindexedCount = 16

    let file: SourceFile
    let records: [NodeRecord]
    let texts: [String]
    let children: [Int32]
    /// For each large map, by its record's index: the position of every key's record within the map's children.
    let keyIndexes: [Int32: [ExactKey: Int32]]

    init(
        file: SourceFile, records: [NodeRecord], texts: [String], children: [Int32],
        keyIndexes: [Int32: [ExactKey: Int32]]
    ) {
        self.file = file
        self.records = records
        self.texts = texts
        self.children = children
        self.keyIndexes = keyIndexes
    }

    /// The node that a child of a record is, aliases resolved.
    func child(_ position: Int, of record: NodeRecord) -> YAMLNode {
        YAMLNode(arena: self, site: children[Int(record.first) + position])
    }

    /// The position among a map's children of the key with a text, or nil.
    func position(of key: String, inMap index: Int32) -> Int? {
        if let positions = keyIndexes[index] { return positions[ExactKey(text: key)].map(Int.init) }
        let record = records[Int(index)]
        var position = 0
        while position < Int(record.count) {
            var keyRecord = records[Int(children[Int(record.first) + position])]
            if keyRecord.kind == .alias { keyRecord = records[Int(keyRecord.first)] }
            if ExactKey.areEqual(texts[Int(keyRecord.first)], key) { return position }
            position += 2
        }
        return nil
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
