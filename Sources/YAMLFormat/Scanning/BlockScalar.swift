/// The lines of a literal or folded scalar.
struct BlockScalar {
    /// The header: the indicator of the style, and those of indentation and chomping.
    var header: Range<Int>
    /// The comment behind the header.
    var comment: TrailingComment?
    /// The lines without their indentation; with ``isKept`` with all blank lines at the end, otherwise without any.
    var lines: [Range<Int>] = []
    /// The digit by which the author gives the indentation.
    var explicitIndentation: Int?
    /// Whether blank lines at the end belong to the text (`+`).
    var isKept = false
    /// Whether no line break ends the text (`-`).
    var isStripped = false
    /// Whether the last line has no line break, since the file ends there.
    var isUnterminated = false
    /// The byte behind the part that is the scalar's own: lines after it are outside of it.
    var end: Int

    /// Reads a block scalar.
    ///
    /// - Parameters:
    ///   - range: The bytes of the token, up to the beginning of the line behind it.
    ///   - parentColumn: The column of the block that holds the scalar; -1 for the root of a document.
    init(source: SourceText, range: Range<Int>, parentColumn: Int) {
        let bytes = source.bytes
        var index = range.lowerBound + 1
        header: while index < range.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "+"): isKept = true
            case UInt8(ascii: "-"): isStripped = true
            case UInt8(ascii: "1")...UInt8(ascii: "9"): explicitIndentation = Int(bytes[index] - UInt8(ascii: "0"))
            default: break header
            }
            index += 1
        }
        header = range.lowerBound..<index
        end = index
        let lines = source.lines(range)
        guard let first = lines.first else { return }
        let headerEnd = index
        while index < first.upperBound, SourceText.isBlank(bytes[index]) { index += 1 }
        if index < first.upperBound, bytes[index] == UInt8(ascii: "#") {
            comment = TrailingComment(
                text: source.trimmed(index..<first.upperBound), gap: index - headerEnd,
                column: source.columnInContent(of: index))
        }
        end = first.upperBound
        var contents = Array(lines.dropFirst())
        let indentation =
            explicitIndentation.map { max(parentColumn, 0) + $0 }
            ?? Self.detectedIndentation(source, contents, parentColumn: parentColumn)
        for index in contents.indices {
            let line = contents[index]
            var start = line.lowerBound
            while start < line.upperBound, start - line.lowerBound < indentation, bytes[start] == UInt8(ascii: " ") {
                start += 1
            }
            contents[index] = start..<line.upperBound
        }
        // What follows the last line break is the beginning of the next line, unless the file ends without a break.
        if let last = contents.last {
            if last.isEmpty { contents.removeLast() } else { isUnterminated = true }
        }
        if !isKept { while contents.last?.isEmpty == true { contents.removeLast() } }
        self.lines = contents
        if isKept { end = range.upperBound } else if let last = contents.last { end = last.upperBound }
    }

    /// The indentation as libyaml finds it: that of the first line with content, or of a longer blank line before it.
    private static func detectedIndentation(_ source: SourceText, _ lines: [Range<Int>], parentColumn: Int) -> Int {
        var indentation = max(parentColumn + 1, 1)
        for line in lines {
            let text = source.bytes[line]
            let spaces = text.prefix { $0 == UInt8(ascii: " ") }.count
            indentation = max(indentation, spaces)
            if spaces < text.count { break }
        }
        return indentation
    }
}
