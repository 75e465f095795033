import SuiteModel

/// Where the rows of a file are, in a byte or two each: they follow one another, mostly each like the one before it.
struct RowIndex: Sendable {
    /// Where a row is.
    struct Row: Sendable, Hashable {
        /// The offset of its first byte.
        var offset: Int64
        /// Its bytes.
        var length: Int32
        /// The line on which it begins, from 1.
        var line: Int32
    }

    /// So many rows are gone through at most to find one.
    private static let blockLength = 32

    /// What is known where a block begins.
    private struct Block {
        var offset: Int64
        var line: Int32
        /// Where the block's rows are described.
        var start: Int32
    }

    /// How far a row is from the one before it.
    private struct Step: Equatable {
        /// The bytes between them.
        var gap: Int64 = 0
        /// From the line of the one before to its own.
        var lines: Int32 = 1
    }

    /// For each row its length, doubled, and 1 more where the step to it is not like the one before; then that follows.
    private var bytes: [UInt8] = []
    private var blocks: [Block] = []
    private var end: Int64 = 0
    private var line: Int32 = 0
    private var step = Step()
    /// The number of rows.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a row, which is behind the one before it.
    mutating func append(_ row: Row) {
        if count % Self.blockLength == 0 {
            // A row takes at most 20 bytes, and there are at most a million.
            blocks.append(Block(offset: row.offset, line: row.line, start: Int32(clamping: bytes.count)))
            step = Step()
            Varint.append(Int(row.length) << 1, to: &bytes)
        } else {
            let next = Step(gap: row.offset - end, lines: row.line - line)
            Varint.append(Int(row.length) << 1 | (next == step ? 0 : 1), to: &bytes)
            if next != step {
                Varint.append(Int(next.gap), to: &bytes)
                Varint.append(Int(next.lines), to: &bytes)
                step = next
            }
        }
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
    subscript(index: Int) -> Row? {
        guard index >= 0, index < count else { return nil }
        let block = blocks[index / Self.blockLength]
        return bytes.withUnsafeBufferPointer { bytes in
            var place = Int(block.start)
            var row = Row(offset: block.offset, length: 0, line: block.line)
            row.length = Int32(truncatingIfNeeded: Varint.read(bytes, &place) >> 1)
            var step = Step()
            for _ in 0..<index % Self.blockLength {
                let length = Varint.read(bytes, &place)
                if length & 1 == 1 {
                    step.gap = Int64(Varint.read(bytes, &place))
                    step.lines = Int32(truncatingIfNeeded: Varint.read(bytes, &place))
                }
                row.offset += Int64(row.length) + step.gap
                row.line += step.lines
                row.length = Int32(truncatingIfNeeded: length >> 1)
            }
            return row
        }
    }
}
