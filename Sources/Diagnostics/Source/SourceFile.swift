import Synchronization

/// A named source text with an index of its lines.
///
/// Source files are equal if they are the same object. A line ends with LF, CR LF or CR. A leading byte order mark does
/// not belong to any line.
public final class SourceFile: Sendable {
    /// The name shown to the user: the path as given.
    public let name: String
    /// The text in UTF-8; invalid sequences are displayed as U+FFFD.
    public let text: [UInt8]
    /// The byte offset of each line's start; never empty.
    private let lineStarts: [Int]
    /// The number of the text's first line: 1 unless the text is only a part of its file.
    private let firstLine: Int
    private let lookups = Mutex(Lookups())
    /// The number of characters between two marks.
    private static let markDistance = 1_024

    /// The state of lookups in long lines.
    private struct Lookups {
        /// The byte offsets of regularly spaced characters in each long line that has been accessed, by line index.
        var marks: [Int: [Int]] = [:]
        /// The number of bytes of lines that were read as a whole.
        var readBytes = 0
    }

    /// Creates a source file from bytes.
    ///
    /// - Parameter firstLine: The number of the first line, at least 1, if the text is a part of its file.
    public init(name: String, text: [UInt8], firstLine: Int = 1) {
        self.name = name
        self.text = text
        self.firstLine = max(1, firstLine)
        lineStarts = Self.findLineStarts(text)
    }

    /// Creates a source file from a string.
    public convenience init(name: String, text: String) {
        self.init(name: name, text: Array(text.utf8))
    }

    /// The number of lines; a text that ends with a line break has an empty last line.
    public var lineCount: Int { lineStarts.count }

    /// Returns the text of a line without its line break; nil if the line does not exist.
    ///
    /// - Parameter number: The number of the line, from 1.
    public func line(_ number: Int) -> String? {
        guard let range = byteRange(ofLine: number) else { return nil }
        lookups.withLock { $0.readBytes += range.count }
        return String(decoding: text[range], as: UTF8.self)
    }

    /// The number of bytes of lines that were read as a whole, each time they were read.
    ///
    /// Tests compare it with the size of the text: no line is read again for each of many problems in it.
    var readBytes: Int { lookups.withLock(\.readBytes) }

    /// Returns the bytes of a line without its line break; nil if the line does not exist.
    ///
    /// - Parameter number: The number of the line, from 1.
    public func byteRange(ofLine number: Int) -> Range<Int>? {
        guard number >= firstLine, number - firstLine < lineStarts.count else { return nil }
        let index = number - firstLine
        let start = lineStarts[index]
        var end = index + 1 < lineStarts.count ? lineStarts[index + 1] : text.count
        if index + 1 < lineStarts.count {
            if end > start, text[end - 1] == UInt8(ascii: "\n") { end -= 1 }
            if end > start, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        }
        return start..<end
    }

    /// Returns the byte offset of a position; a column past the end of its line maps to the end of the line.
    public func byteOffset(of position: SourcePosition) -> Int {
        if position.line < firstLine { return lineStarts[0] }
        guard let range = byteRange(ofLine: Int(position.line)) else { return text.count }
        let start =
            Int(position.column) > Self.markDistance
            ? mark(beforeColumn: Int(position.column), ofLine: Int(position.line) - firstLine, range)
            : (column: 1, offset: range.lowerBound)
        return text.withUnsafeBufferPointer { bytes in
            var offset = start.offset
            var column = Int32(clamping: start.column)
            while column < position.column, offset < range.upperBound {
                offset += 1
                while offset < range.upperBound, Self.isContinuation(bytes[offset]) { offset += 1 }
                column += 1
            }
            return offset
        }
    }

    /// Returns the position of a byte; an offset outside of the text maps to the nearest position.
    ///
    /// - Parameter offset: The offset, from 0; inside a character, it maps to that character's position.
    public func position(atByteOffset offset: Int) -> SourcePosition {
        let offset = max(lineStarts[0], min(offset, text.count))
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        var start = (column: 1, offset: lineStarts[low])
        if offset - start.offset > Self.markDistance, let range = byteRange(ofLine: low + firstLine),
            !Self.isContinuation(text[range.lowerBound])
        {
            start = mark(beforeByte: offset, ofLine: low, range)
        }
        let column = text.withUnsafeBufferPointer { bytes in
            var scalars = start.column - 1
            var index = start.offset
            while index < offset {
                if !Self.isContinuation(bytes[index]) { scalars += 1 }
                index += 1
            }
            if index < bytes.count, Self.isContinuation(bytes[index]), scalars > 0 { scalars -= 1 }
            return scalars + 1
        }
        return SourcePosition(line: low + firstLine, column: column)
    }

    /// The position after the last character.
    public var end: SourcePosition { position(atByteOffset: text.count) }

    /// Returns the position after the last character of a line; nil if the line does not exist.
    ///
    /// - Parameter number: The number of the line, from 1.
    public func end(ofLine number: Int) -> SourcePosition? {
        byteRange(ofLine: number).map { position(atByteOffset: $0.upperBound) }
    }

    // MARK: Long lines

    /// Returns the last mark at or before a column, which avoids scanning a long line for each position.
    private func mark(beforeColumn column: Int, ofLine index: Int, _ range: Range<Int>) -> (column: Int, offset: Int) {
        lookups.withLock { lookups in
            let offsets = offsets(ofLine: index, range, in: &lookups)
            let mark = min((column - 1) / Self.markDistance, offsets.count - 1)
            return (mark * Self.markDistance + 1, offsets[mark])
        }
    }

    /// Returns the last mark of a line at or before a byte.
    private func mark(beforeByte offset: Int, ofLine index: Int, _ range: Range<Int>) -> (column: Int, offset: Int) {
        lookups.withLock { lookups in
            let offsets = offsets(ofLine: index, range, in: &lookups)
            var low = 0
            var high = offsets.count
            while high - low > 1 {
                let middle = (low + high) / 2
                if offsets[middle] <= offset { low = middle } else { high = middle }
            }
            return (low * Self.markDistance + 1, offsets[low])
        }
    }

    /// Returns the marks of a line; the first is its start.
    private func offsets(ofLine index: Int, _ range: Range<Int>, in lookups: inout Lookups) -> [Int] {
        if let known = lookups.marks[index] { return known }
        lookups.readBytes += range.count
        var offsets = [range.lowerBound]
        text.withUnsafeBufferPointer { bytes in
            var characters = 0
            for offset in range.dropFirst() where !Self.isContinuation(bytes[offset]) {
                characters += 1
                if characters.isMultiple(of: Self.markDistance) { offsets.append(offset) }
            }
        }
        lookups.marks[index] = offsets
        return offsets
    }

    /// Returns whether a byte is a UTF-8 continuation byte, which does not start a scalar.
    static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private static func findLineStarts(_ text: [UInt8]) -> [Int] {
        text.withUnsafeBytes { bytes in
            var index = 0
            if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { index = 3 }
            var starts = [index]
            starts.reserveCapacity(bytes.count / 16 + 1)
            while index < bytes.count {
                // Skip eight bytes at a time while none is below 0x10 and thus could end a line.
                while index + 8 <= bytes.count {
                    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                    let low = ((word & 0x7070_7070_7070_7070) &+ 0x7070_7070_7070_7070) | word
                    let candidates = ~low & 0x8080_8080_8080_8080
                    if candidates == 0 {
                        index += 8
                        continue
                    }
                    index += candidates.trailingZeroBitCount / 8
                    break
                }
                guard index < bytes.count else { break }
                let byte = bytes[index]
                index += 1
                if byte == UInt8(ascii: "\n") {
                    starts.append(index)
                } else if byte == UInt8(ascii: "\r") {
                    if index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
                    starts.append(index)
                }
            }
            return starts
        }
    }
}

extension SourceFile: Hashable {
    /// Returns whether both are the same object.
    public static func == (left: SourceFile, right: SourceFile) -> Bool { left === right }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// A position in a source text, as editors count it.
public struct SourcePosition: Sendable, Hashable, Comparable {
    /// The line, from 1.
    public var line: Int32
    /// The column in Unicode scalars, from 1.
    public var column: Int32

    /// Creates a position from a line and a column, both counted from 1.
    public init(line: Int32, column: Int32) {
        self.line = line
        self.column = column
    }

    /// Creates a position from a line and a column of any size, clamped to the range of a position.
    public init(line: Int, column: Int) {
        self.line = Int32(clamping: line)
        self.column = Int32(clamping: column)
    }

    /// Orders positions by line, then by column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        left.line == right.line ? left.column < right.column : left.line < right.line
    }
}

/// A range of a source file.
public struct SourceRange: Sendable, Hashable {
    /// The source file.
    public let file: SourceFile
    /// The start of the range.
    public var start: SourcePosition
    /// The end of the range: the position after its last character.
    public var end: SourcePosition

    /// Creates a range; an end before the start is moved to the start.
    public init(file: SourceFile, start: SourcePosition, end: SourcePosition) {
        self.file = file
        self.start = start
        self.end = max(start, end)
    }

    /// Creates a range from byte offsets into the text of the file.
    public init(file: SourceFile, bytes: Range<Int>) {
        self.init(
            file: file, start: file.position(atByteOffset: bytes.lowerBound),
            end: file.position(atByteOffset: bytes.upperBound))
    }

    /// The byte offsets of the range in the text of the file.
    public var byteRange: Range<Int> {
        let lower = file.byteOffset(of: start)
        return lower..<max(lower, file.byteOffset(of: end))
    }

    /// The text of the range.
    public var text: String { String(decoding: file.text[byteRange], as: UTF8.self) }

    /// Whether the range starts and ends on the same line.
    public var isOneLine: Bool { start.line == end.line }

    /// Returns a subrange, clamped to this range.
    ///
    /// - Parameters:
    ///   - lower: The offset of the subrange's start in Unicode scalars. A CR LF counts as two.
    ///   - upper: The offset of the subrange's end in Unicode scalars.
    public func subrange(fromScalar lower: Int, toScalar upper: Int) -> SourceRange {
        let lower = max(0, lower)
        let upper = max(lower, upper)
        if isOneLine {
            let count = Int(end.column) - Int(start.column)
            return SourceRange(
                file: file, start: SourcePosition(line: start.line, column: start.column + Int32(min(lower, count))),
                end: SourcePosition(line: start.line, column: start.column + Int32(min(upper, count))))
        }
        let bytes = byteRange
        var scalars = -1
        var first = bytes.upperBound
        var last = bytes.upperBound
        for index in bytes where !SourceFile.isContinuation(file.text[index]) {
            scalars += 1
            if scalars == lower { first = index }
            if scalars == upper {
                last = index
                break
            }
        }
        return SourceRange(file: file, bytes: min(first, last)..<last)
    }
}

extension SourceRange: CustomStringConvertible {
    /// The location as tools print it: name, line and column, joined with colons.
    public var description: String { "\(file.name):\(start.line):\(start.column)" }
}
