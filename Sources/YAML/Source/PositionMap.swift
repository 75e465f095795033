import CLibYAML
import Diagnostics

/// Converts libyaml's marks to positions.
///
/// libyaml follows YAML 1.1 and also breaks lines at U+0085, U+2028, and U+2029, unlike editors. Its character count
/// does not depend on line breaks, so positions in files with these characters are computed from the count.
struct PositionMap {
    /// The number of Unicode scalars before each line; empty if libyaml's lines are those of the file.
    private var lineStarts: [Int] = []

    private let lineCount: Int
    /// The end of the file. libyaml puts it on a separate line if the last line has no line break.
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

    /// Returns the position of a mark.
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
                // Skips eight bytes at a time as long as all of them are ASCII.
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

/// Finds the byte offsets of positions that are mostly in text order.
///
/// A position is found by counting characters from the start of its line. For the nodes of a long line, that would take
/// quadratic time, so counting continues at the previous position.
struct LineCursor {
    private var line: Int32 = 0
    private var column: Int32 = 1
    private var offset = 0

    /// Returns the byte offset of a position.
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

    /// Returns the position of a byte that follows another one on the same line.
    static func position(
        behind start: SourcePosition, at first: Int, _ offset: Int, in file: SourceFile
    ) -> SourcePosition {
        let count = file.text[first..<offset].count { !isContinuation($0) }
        return SourcePosition(line: start.line, column: start.column + Int32(clamping: count))
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
