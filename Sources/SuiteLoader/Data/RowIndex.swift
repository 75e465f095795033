import FileSystem
import SuiteModel

/// The locations of the rows of a file, in one or two bytes per row.
///
/// The encoding exploits that rows follow one another, usually with the same distance. Many locations are kept in a
/// temporary file.
struct RowIndex: Sendable {
    /// The location of a row.
    struct Row: Sendable, Hashable {
        /// The byte offset of the row.
        var offset: Int64
        /// The length in bytes.
        var length: Int32
        /// The line on which the row starts, from 1.
        var line: Int32
    }

    /// The number of rows in a block; finding a row decodes at most this many.
    private static let blockLength = 64

    /// The state at the start of a block.
    private struct Block {
        var offset: Int64
        var line: Int32
        /// The offset of the block in ``bytes``.
        var start: UInt32
    }

    /// The distance between a row and the previous one.
    private struct Step: Equatable {
        /// The number of bytes between the rows.
        var gap: Int64 = 0
        /// The number of lines from the start of the previous row.
        var lines: Int32 = 1
    }

    /// For each row, twice its length, plus 1 if its distance differs from that of the previous row; the distance
    /// follows then.
    private var bytes = SpilledBytes()
    private var blocks: [Block] = []
    private var end: Int64 = 0
    private var line: Int32 = 0
    private var step = Step()
    /// The number of rows.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Appends a row, which must follow the previous one in the file.
    mutating func append(_ row: Row) {
        if count % Self.blockLength == 0 {
            bytes.spillIfLong()
            // Cannot overflow: a row takes at most 20 bytes, and there are at most 100 million rows.
            blocks.append(Block(offset: row.offset, line: row.line, start: UInt32(clamping: bytes.count)))
            step = Step()
            bytes.append { Varint.append(Int(row.length) << 1, to: &$0) }
        } else {
            let next = Step(gap: row.offset - end, lines: row.line - line)
            let isSame = next == step
            bytes.append { bytes in
                Varint.append(Int(row.length) << 1 | (isSame ? 0 : 1), to: &bytes)
                if isSame { return }
                Varint.append(Int(next.gap), to: &bytes)
                Varint.append(Int(next.lines), to: &bytes)
            }
            step = next
        }
        end = row.offset + Int64(row.length)
        line = row.line
        count += 1
    }

    /// Releases the memory that is reserved for further rows.
    mutating func finish() {
        bytes.finish()
        blocks = blocks.withUnsafeBufferPointer { Array($0) }
    }

    /// Returns the location of a row; nil if the index is out of bounds, or if the temporary file cannot be read.
    subscript(index: Int) -> Row? {
        guard index >= 0, index < count else { return nil }
        let number = index / Self.blockLength
        let block = blocks[number]
        let end = number + 1 < blocks.count ? Int(blocks[number + 1].start) : bytes.count
        return bytes.withBytes(in: Int(block.start)..<end) { bytes in
            var location = 0
            var row = Row(offset: block.offset, length: 0, line: block.line)
            row.length = Int32(truncatingIfNeeded: Varint.read(bytes, &location) >> 1)
            var step = Step()
            for _ in 0..<index % Self.blockLength {
                let length = Varint.read(bytes, &location)
                if length & 1 == 1 {
                    step.gap = Int64(Varint.read(bytes, &location))
                    step.lines = Int32(truncatingIfNeeded: Varint.read(bytes, &location))
                }
                row.offset += Int64(row.length) + step.gap
                row.line += step.lines
                row.length = Int32(truncatingIfNeeded: length >> 1)
            }
            return row
        }
    }
}
