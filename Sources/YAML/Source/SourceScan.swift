import Diagnostics

/// Inspects the text around a position for details that events and errors do not report.
struct SourceScan {
    let file: SourceFile

    init(_ file: SourceFile) {
        self.file = file
    }

    /// Returns the byte before a position; nil at the start of the file.
    func byte(before position: SourcePosition) -> UInt8? {
        let offset = file.byteOffset(of: position)
        return offset > 0 && offset <= file.text.count ? file.text[offset - 1] : nil
    }

    /// Returns the byte at a position; nil at the end of the file.
    func byte(at position: SourcePosition) -> UInt8? {
        let offset = file.byteOffset(of: position)
        return offset < file.text.count ? file.text[offset] : nil
    }

    /// Returns the Unicode scalar at a position; nil at the end of the file or of a line.
    func scalar(at position: SourcePosition) -> Unicode.Scalar? {
        guard let bytes = file.byteRange(ofLine: Int(position.line)) else { return nil }
        let offset = file.byteOffset(of: position)
        guard offset < bytes.upperBound else { return nil }
        return String(decoding: file.text[offset..<min(offset + 4, bytes.upperBound)], as: UTF8.self).unicodeScalars
            .first
    }

    /// Returns the range from a position to the last visible character of its line; may be empty.
    func rangeToEndOfLine(from start: SourcePosition) -> SourceRange {
        guard let bytes = file.byteRange(ofLine: Int(start.line)) else {
            return SourceRange(file: file, start: start, end: start)
        }
        var end = bytes.upperBound
        while end > bytes.lowerBound, Self.isBlank(file.text[end - 1]) { end -= 1 }
        return SourceRange(file: file, start: start, end: file.position(atByteOffset: end))
    }

    /// Returns the range of one character; empty at the end of a line.
    func characterRange(at start: SourcePosition) -> SourceRange {
        let hasCharacter = scalar(at: start) != nil
        let end = SourcePosition(line: start.line, column: hasCharacter ? start.column + 1 : start.column)
        return SourceRange(file: file, start: start, end: end)
    }

    /// Returns the position after the anchor and tag that start at a position, and after the white space that follows.
    func positionAfterProperties(from start: SourcePosition, to end: SourcePosition) -> SourcePosition {
        let limit = file.byteOffset(of: end)
        let offset = offsetAfterProperties(from: file.byteOffset(of: start), to: limit)
        return offset < limit ? file.position(atByteOffset: offset) : end
    }

    /// Returns the offset after the anchor and tag that start at an offset, and after the white space that follows.
    ///
    /// The result does not exceed the limit.
    func offsetAfterProperties(from start: Int, to limit: Int) -> Int {
        var offset = start
        while true {
            offset = skipSpace(offset, limit)
            guard offset < limit else { return limit }
            let byte = file.text[offset]
            guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") else { return offset }
            offset = endOfProperty(offset, limit)
        }
    }

    /// Returns the range of the tag of a node whose anchor and tag start at a position.
    func tagRange(from start: SourcePosition) -> SourceRange {
        let limit = file.text.count
        var offset = skipSpace(file.byteOffset(of: start), limit)
        if offset < limit, file.text[offset] == UInt8(ascii: "&") {
            offset = skipSpace(endOfProperty(offset, limit), limit)
        }
        return SourceRange(file: file, bytes: offset..<endOfProperty(offset, limit))
    }

    private func skipSpace(_ start: Int, _ limit: Int) -> Int {
        var offset = start
        while offset < limit {
            let byte = file.text[offset]
            if byte == UInt8(ascii: "#") {
                while offset < limit, !Self.isLineBreak(file.text[offset]), foreignLineBreak(offset, limit) == 0 {
                    offset += 1
                }
            } else if foreignLineBreak(offset, limit) > 0 {
                offset += foreignLineBreak(offset, limit)
            } else if Self.isBlank(byte) || Self.isLineBreak(byte) {
                offset += 1
            } else {
                break
            }
        }
        return offset
    }

    /// Returns the number of bytes of a line break that only YAML 1.1 recognizes: U+0085, U+2028, or U+2029.
    ///
    /// libyaml follows YAML 1.1. The result is 0 for any other character.
    private func foreignLineBreak(_ offset: Int, _ limit: Int) -> Int {
        let byte = file.text[offset]
        if byte == 0xC2, offset + 1 < limit, file.text[offset + 1] == 0x85 { return 2 }
        guard byte == 0xE2, offset + 2 < limit, file.text[offset + 1] == 0x80 else { return 0 }
        return file.text[offset + 2] & 0xFE == 0xA8 ? 3 : 0
    }

    private func endOfProperty(_ start: Int, _ limit: Int) -> Int {
        var offset = start
        if offset < limit, file.text[offset] == UInt8(ascii: "&") {
            offset += 1
            while offset < limit, Self.isNameByte(file.text[offset]) { offset += 1 }
            return offset
        }
        while offset < limit {
            let byte = file.text[offset]
            if Self.isBlank(byte) || Self.isLineBreak(byte) || foreignLineBreak(offset, limit) > 0 { break }
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { break }
            offset += 1
        }
        return offset
    }

    /// Returns whether libyaml accepts a byte in the name of an anchor.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
