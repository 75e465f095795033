import SuiteModel

/// Where the rows of a file are, in a few bytes each: they follow one another, with little between them.
struct RowIndex: Sendable {
    /// So many rows are gone through at most to find one.
    private static let blockLength = 16

    /// What is known where a block begins.
    private struct Block {
        var offset: Int64
        var line: Int32
        /// Where the block's rows are described.
        var start: Int32
    }

    private var bytes: [UInt8] = []
    private var blocks: [Block] = []
    private var end: Int64 = 0
    private var line: Int32 = 0
    /// The number of rows.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a row, which is behind the one before it.
    mutating func append(_ row: DataFile.Row) {
        if count % Self.blockLength == 0 {
            // A row takes at most 20 bytes, and there are at most a million.
            blocks.append(Block(offset: row.offset, line: row.line, start: Int32(clamping: bytes.count)))
            end = row.offset
            line = row.line
        }
        Varint.append(Int(row.offset - end), to: &bytes)
        Varint.append(Int(row.length), to: &bytes)
        Varint.append(Int(row.line - line), to: &bytes)
        end = row.offset + Int64(row.length)
        line = row.line
        count += 1
    }

    /// Gives back the memory that was set aside for further rows.
    mutating func finish() {
        bytes = bytes.withUnsafeBufferPointer { Array($0) }
        blocks = blocks.withUnsafeBufferPointer { Array($0) }
    }

    /// The place of a row, or nil when there is none with the index.
    subscript(index: Int) -> DataFile.Row? {
        guard index >= 0, index < count else { return nil }
        let block = blocks[index / Self.blockLength]
        return bytes.withUnsafeBufferPointer { bytes in
            var place = Int(block.start)
            var row = DataFile.Row(offset: block.offset, length: 0, line: block.line)
            for _ in 0...index % Self.blockLength {
                row.offset += Int64(row.length) + Int64(Varint.read(bytes, &place))
                row.length = Int32(truncatingIfNeeded: Varint.read(bytes, &place))
                row.line += Int32(truncatingIfNeeded: Varint.read(bytes, &place))
            }
            return row
        }
    }
}
