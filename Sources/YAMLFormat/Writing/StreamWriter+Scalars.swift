extension StreamWriter {
    /// Writes a plain or quoted scalar, or an alias, with its line breaks where they are.
    ///
    /// - Parameter continuation: The indentation of further lines.
    mutating func writeScalar(_ token: Int, continuation: Int) {
        let parts = source.lines(tokens[token].range)
        let isEscaped = tokens[token].style == .doubleQuoted
        for (index, part) in parts.enumerated() {
            var part = part
            if index > 0 {
                while let first = source.bytes[part].first, SourceText.isBlank(first) { part.removeFirst() }
            }
            if index < parts.count - 1 { part = withoutBlanksAtEnd(part, isEscaped: isEscaped) }
            if index == 0 {
                lines.write(source.bytes[part])
            } else {
                lines.continueScalar(source.bytes[part], indentation: continuation)
            }
        }
        finishToken(token)
    }

    /// A line without the blanks at its end, which folding removes; an escaped one is text.
    private func withoutBlanksAtEnd(_ line: Range<Int>, isEscaped: Bool) -> Range<Int> {
        let trimmed = source.trimmed(line)
        guard isEscaped, trimmed.upperBound < line.upperBound else { return trimmed }
        var backslashes = 0
        while backslashes < trimmed.count,
            source.bytes[trimmed.upperBound - 1 - backslashes] == UInt8(ascii: "\\")
        {
            backslashes += 1
        }
        return backslashes % 2 == 1 ? line.lowerBound..<(trimmed.upperBound + 1) : trimmed
    }

    /// Writes a literal or folded scalar.
    ///
    /// - Parameter indentation: The indentation of the lines, which an explicit digit replaces.
    mutating func writeBlockScalar(_ token: Int, _ scalar: BlockScalar, indentation: Int) {
        var header = Array(source.bytes[scalar.header])
        if scalar.isUnterminated, !scalar.isStripped {
            // The text has no line break at its end, since the file has none there; now it gets one.
            header.removeAll { $0 == UInt8(ascii: "+") }
            header.append(UInt8(ascii: "-"))
        }
        lines.write(header)
        if let comment = scalar.comment { lines.pending.append(comment) }
        lines.writePendingComment()
        let parent = max(0, indentation - 2)
        let column = scalar.explicitIndentation.map { parent + $0 } ?? parent + 2
        for line in scalar.lines { lines.continueScalar(source.bytes[line], indentation: column) }
        lines.endsWithKeptLines = scalar.isKept && !scalar.isUnterminated
        finishToken(token)
    }
}
