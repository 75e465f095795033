import Diagnostics

/// Looks at the text around a place, for what events and errors do not tell.
struct SourceScan {
    let file: SourceFile

    init(_ file: SourceFile) {
        self.file = file
    }

    /// The byte before a position, or nil at the beginning.
    func byte(before position: SourcePosition) -> UInt8? {
        let offset = file.byteOffset(of: position)
        return offset > 0 && offset <= file.text.count ? file.text[offset - 1] : nil
    }

    /// The byte at a position, or nil at the end.
    func byte(at position: SourcePosition) -> UInt8? {
        let offset = file.byteOffset(of: position)
        return offset < file.text.count ? file.text[offset] : nil
    }

    /// The scalar at a position, or nil at the end and at the end of a line.
    func scalar(at position: SourcePosition) -> Unicode.Scalar? {
        guard let bytes = file.byteRange(ofLine: Int(position.line)) else { return nil }
        let offset = file.byteOffset(of: position)
        guard offset < bytes.upperBound else { return nil }
        return String(decoding: file.text[offset..<min(offset + 4, bytes.upperBound)], as: UTF8.self).unicodeScalars
            .first
    }

    /// The range from a position to the last visible character of its line; at least empty.
    func rangeToEndOfLine(from start: SourcePosition) -> SourceRange {
        guard let bytes = file.byteRange(ofLine: Int(start.line)) else {
            return SourceRange(file: file, start: start, end: start)
        }
        var end = bytes.upperBound
        while end > bytes.lowerBound, Self.isBlank(file.text[end - 1]) { end -= 1 }
        return SourceRange(file: file, start: start, end: file.position(atByteOffset: end))
    }

    /// The range of one character; empty at the end of a line.
    func characterRange(at start: SourcePosition) -> SourceRange {
        let hasCharacter = scalar(at: start) != nil
        let end = SourcePosition(line: start.line, column: hasCharacter ? start.column + 1 : start.column)
        return SourceRange(file: file, start: start, end: end)
    }

    /// The position behind the anchor and tag that begin at a position, with the space behind them.
    func positionBehindProperties(from start: SourcePosition, to end: SourcePosition) -> SourcePosition {
        let limit = file.byteOffset(of: end)
        let offset = offsetBehindProperties(from: file.byteOffset(of: start), to: limit)
        return offset < limit ? file.position(atByteOffset: offset) : end
    }

    /// The offset behind the anchor and tag that begin at an offset, with the space behind them; at most a limit.
    func offsetBehindProperties(from start: Int, to limit: Int) -> Int {
        var offset = start
        while true {
            offset = skipSpace(offset, limit)
            guard offset < limit else { return limit }
            let byte = file.text[offset]
            guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") else { return offset }
            offset = endOfProperty(offset, limit)
        }
    }

    /// The range of the tag of a node whose anchor and tag begin at a position.
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

    /// The number of bytes of a line break at an offset that only YAML 1.1, which the parser follows, knows: U+0085, U+2028 and
    /// U+2029; 0 when there is none.
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

    /// Whether a byte can be a part of an anchor's name, for libyaml.
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
