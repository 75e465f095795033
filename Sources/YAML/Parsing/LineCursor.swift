import Diagnostics

/// Finds the bytes of positions that mostly come in the order of the text.
///
/// A position is found by counting characters from the beginning of its line: for each node of a long line that would be
/// quadratic work, so the count goes on from where it was.
struct LineCursor {
    private var line: Int32 = 0
    private var column: Int32 = 1
    private var offset = 0

    /// The offset of the byte at a position.
    mutating func byteOffset(of position: SourcePosition, in file: SourceFile) -> Int {
        if position.line != line || position.column < column {
            line = position.line
            column = 1
            offset = file.byteOffset(of: SourcePosition(line: line, column: 1))
        }
        file.text.withUnsafeBufferPointer { bytes in
            while column < position.column, offset < bytes.count {
                offset += 1
                while offset < bytes.count, Self.isContinuation(bytes[offset]) { offset += 1 }
                column += 1
            }
        }
        return offset
    }

    /// The position of a byte that lies behind another one on its line.
    static func position(
        behind start: SourcePosition, at first: Int, _ offset: Int, in file: SourceFile
    ) -> SourcePosition {
        let count = file.text[first..<offset].count { !isContinuation($0) }
        return SourcePosition(line: start.line, column: start.column + Int32(clamping: count))
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
