import CLibYAML
import Diagnostics

/// Turns libyaml's marks into positions.
///
/// libyaml follows YAML 1.1 and also ends a line at U+0085, U+2028 and U+2029, which editors do not. Its count of
/// characters is independent of that, so in files that have such characters positions are made from the count.
struct PositionMap {
    /// The number of scalars before each line; empty when libyaml's lines are the file's.
    private var lineStarts: [Int] = []

    private let lineCount: Int
    /// The end of the file, which libyaml puts on a line of its own when the last line has no line break.
    private let end: SourcePosition

    init(_ file: SourceFile) {
        lineCount = file.lineCount
        end = file.end
        guard Self.hasForeignLineBreaks(file.text) else { return }
        var scalars = 0
        var offset = file.byteRange(ofLine: 1)?.lowerBound ?? 0
        for line in 1...max(1, file.lineCount) {
            guard let bytes = file.byteRange(ofLine: line) else { break }
            while offset < bytes.lowerBound {
                if !Self.isContinuation(file.text[offset]) { scalars += 1 }
                offset += 1
            }
            lineStarts.append(scalars)
        }
    }

    /// The position of a mark.
    @inline(__always)
    func position(_ mark: yaml_mark_t) -> SourcePosition {
        if lineStarts.isEmpty {
            if mark.line >= lineCount { return end }
            return SourcePosition(
                line: Int32(truncatingIfNeeded: mark.line) &+ 1, column: Int32(truncatingIfNeeded: mark.column) &+ 1)
        }
        return position(ofScalar: Int(truncatingIfNeeded: mark.index))
    }

    private func position(ofScalar scalar: Int) -> SourcePosition {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= scalar { low = middle } else { high = middle }
        }
        return SourcePosition(line: low + 1, column: scalar - lineStarts[low] + 1)
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private static func hasForeignLineBreaks(_ text: [UInt8]) -> Bool {
        text.withUnsafeBytes { bytes in
            var index = 0
            while index < bytes.count {
                // Eight bytes at a time while all of them are ASCII.
                while index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < bytes.count else { break }
                let byte = bytes[index]
                index += 1
                if byte < 0xC2 { continue }
                if byte == 0xC2, index < bytes.count, bytes[index] == 0x85 { return true }
                if byte == 0xE2, index + 1 < bytes.count, bytes[index] == 0x80, bytes[index + 1] & 0xFE == 0xA8 {
                    return true
                }
            }
            return false
        }
    }
}

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
