/// A part of a source file.
public struct SourceRange: Sendable, Hashable {
    /// The file.
    public let file: SourceFile
    /// Where the part begins.
    public var start: SourcePosition
    /// Where the part ends: the position behind its last character.
    public var end: SourcePosition

    /// Creates a range; an end before the start is moved to the start.
    public init(file: SourceFile, start: SourcePosition, end: SourcePosition) {
        self.file = file
        self.start = start
        self.end = max(start, end)
    }

    /// Creates a range from byte offsets into the file's text.
    public init(file: SourceFile, bytes: Range<Int>) {
        self.init(
            file: file, start: file.position(atByteOffset: bytes.lowerBound),
            end: file.position(atByteOffset: bytes.upperBound))
    }

    /// The part's byte offsets in the file's text.
    public var byteRange: Range<Int> {
        let lower = file.byteOffset(of: start)
        return lower..<max(lower, file.byteOffset(of: end))
    }

    /// The text of the part.
    public var text: String { String(decoding: file.text[byteRange], as: UTF8.self) }

    /// Whether the part begins and ends on the same line.
    public var isOneLine: Bool { start.line == end.line }

    /// A part of this part; what lies outside is cut off.
    ///
    /// - Parameters:
    ///   - lower: The number of Unicode scalars before the part's first one. A CR LF counts as two.
    ///   - upper: The number of Unicode scalars before the end of the part.
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
    /// The place as tools print it: name, line and column, joined with colons.
    public var description: String { "\(file.name):\(start.line):\(start.column)" }
}
