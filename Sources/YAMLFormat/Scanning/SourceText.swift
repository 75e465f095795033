import JSON

/// The bytes that are formatted, without a byte order mark, and the place of every character.
struct SourceText {
    let bytes: [UInt8]
    /// The bytes as libyaml is given them: as many, and as many characters.
    let scannedBytes: [UInt8]
    /// Whether the text is JSON as a whole, and is to remain so.
    let isJSON: Bool
    /// The number of bytes before ``bytes`` in the text that was given.
    let skipped: Int
    /// The byte offset of every character; empty when each character is one byte.
    private let offsets: [Int]

    init(_ text: [UInt8]) {
        let hasMark = text.starts(with: [0xEF, 0xBB, 0xBF])
        skipped = hasMark ? 3 : 0
        bytes = hasMark ? Array(text.dropFirst(3)) : text
        isJSON = Self.isJSON(bytes)
        scannedBytes = isJSON ? JSONMask.masked(bytes) : bytes
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            offsets = []
            return
        }
        var offsets: [Int] = []
        offsets.reserveCapacity(bytes.count)
        for (offset, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 { offsets.append(offset) }
        self.offsets = offsets
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { !isBlank($0) && !isBreak($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return false }
        return (try? JSONParser().parse(bytes)) != nil
    }

    /// The offset of a character, counted from 0.
    func offset(ofCharacter index: Int) -> Int {
        if offsets.isEmpty { return min(index, bytes.count) }
        return index < offsets.count ? offsets[index] : bytes.count
    }

    /// The number of bytes between the beginning of its line and an offset.
    func column(of offset: Int) -> Int {
        var start = offset
        while start > 0, !Self.isBreak(bytes[start - 1]) { start -= 1 }
        return offset - start
    }

    /// The number of bytes between the first content of its line and an offset.
    func columnInContent(of offset: Int) -> Int {
        let start = offset - column(of: offset)
        return offset - start - Self.contentColumn(of: bytes[start..<offset])
    }

    /// The number of spaces, dashes and other indicators of blocks at the beginning of a line.
    static func contentColumn(of line: ArraySlice<UInt8>) -> Int {
        var index = line.startIndex
        while index < line.endIndex {
            switch line[index] {
            case UInt8(ascii: " "): index += 1
            case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
                guard index + 1 < line.endIndex, line[index + 1] == UInt8(ascii: " ") else {
                    return index - line.startIndex
                }
                index += 2
            default: return index - line.startIndex
            }
        }
        return line.count
    }

    /// A range without spaces and tabs at its end.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, Self.isBlank(bytes[end - 1]) { end -= 1 }
        return range.lowerBound..<end
    }

    /// The end of the line break at an offset.
    func endOfBreak(at offset: Int) -> Int {
        let isPair =
            bytes[offset] == UInt8(ascii: "\r") && offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n")
        return offset + (isPair ? 2 : 1)
    }

    /// The lines of a range without their line breaks; the last one is not followed by a break.
    func lines(_ range: Range<Int>) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = range.lowerBound
        var index = start
        while index < range.upperBound {
            guard Self.isBreak(bytes[index]) else {
                index += 1
                continue
            }
            lines.append(start..<index)
            index = endOfBreak(at: index)
            start = index
        }
        lines.append(min(start, range.upperBound)..<range.upperBound)
        return lines
    }

    /// Whether a range has a line break.
    func hasBreak(_ range: Range<Int>) -> Bool { bytes[range].contains(where: Self.isBreak) }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    static func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}

/// What stands between a token and the one before it.
struct Trivia {
    /// The comment on the line of the token before.
    var trailing: TrailingComment?
    /// Comments on lines of their own.
    var comments: [Comment] = []
    /// Whether the token stands on a later line than the one before.
    var hasBreak = false
    /// Whether a blank line comes directly before the token.
    var isAfterBlank = false

    /// Reads what is between two tokens.
    ///
    /// - Parameter isAtLineStart: Whether the gap begins at the beginning of a line.
    /// - Throws: ``FormatFailure`` when there is something else than space and comments.
    init(source: SourceText, gap: Range<Int>, isAtLineStart: Bool) throws(FormatFailure) {
        let bytes = source.bytes
        // Line breaks since the last token or comment.
        var breaks = isAtLineStart ? 1 : 0
        var index = gap.lowerBound
        while index < gap.upperBound {
            let byte = bytes[index]
            if SourceText.isBreak(byte) {
                breaks += 1
                hasBreak = true
                index = source.endOfBreak(at: index)
            } else if SourceText.isBlank(byte) {
                index += 1
            } else if byte == UInt8(ascii: "#") {
                let start = index
                while index < bytes.count, !SourceText.isBreak(bytes[index]) { index += 1 }
                // libyaml also ends comments at line breaks of Unicode, behind which a token may be.
                guard index < gap.upperBound || gap.upperBound == bytes.count else {
                    throw FormatFailure("a comment holds a line break of another kind", at: start)
                }
                let text = source.trimmed(start..<index)
                if breaks == 0 {
                    trailing = TrailingComment(
                        text: text, gap: start - gap.lowerBound,
                        column: source.columnInContent(of: start))
                } else {
                    comments.append(
                        Comment(text: text, column: source.column(of: start), isAfterBlank: breaks > 1))
                }
                breaks = 0
            } else {
                throw FormatFailure("it has an unexpected character", at: index)
            }
        }
        if isAtLineStart { hasBreak = true }
        isAfterBlank = breaks > 1
    }

    init() {}
}

/// A comment on a line of its own.
struct Comment {
    /// The bytes from `#` to the last visible character.
    var text: Range<Int>
    /// The number of bytes before it in its line.
    var column: Int
    /// Whether a blank line comes before it.
    var isAfterBlank: Bool
}

/// A comment behind something on its line.
struct TrailingComment {
    /// The bytes from `#` to the last visible character.
    var text: Range<Int>
    /// The number of blanks before it.
    var gap: Int
    /// The number of bytes between the first content of its line and the comment.
    var column: Int
}

/// Why a text cannot be formatted; it is to be left as it is.
public struct FormatFailure: Error, Sendable, Hashable {
    /// The reason, in words that continue "it cannot be formatted:".
    public var reason: String
    /// The byte of the text at which it was found, or nil when there is no such place.
    public var offset: Int?

    init(_ reason: String, at offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }
}
