import JSON

/// The text to format, without a byte order mark, with the offset of every character.
struct SourceText {
    let bytes: [UInt8]
    /// The bytes to pass to libyaml, with the same numbers of bytes and characters.
    let scannedBytes: [UInt8]
    /// Whether the text is JSON as a whole and must remain JSON.
    let isJSON: Bool
    /// The number of bytes before ``bytes`` in the original text.
    let skipped: Int
    /// The byte offset of every character; empty if each character is one byte.
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

    /// Returns the byte offset of a character, counted from 0.
    func offset(ofCharacter index: Int) -> Int {
        if offsets.isEmpty { return min(index, bytes.count) }
        return index < offsets.count ? offsets[index] : bytes.count
    }

    /// Returns the number of bytes from the start of the line to an offset.
    func column(of offset: Int) -> Int {
        var start = offset
        while start > 0, !Self.isBreak(bytes[start - 1]) { start -= 1 }
        return offset - start
    }

    /// Returns the number of bytes from the first content of the line to an offset.
    func columnInContent(of offset: Int) -> Int {
        let start = offset - column(of: offset)
        return offset - start - Self.contentColumn(of: bytes[start..<offset])
    }

    /// Returns the number of spaces, dashes, and other block indicators at the start of a line.
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

    /// Returns a range without trailing spaces and tabs.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, Self.isBlank(bytes[end - 1]) { end -= 1 }
        return range.lowerBound..<end
    }

    /// Returns the end of the line break at an offset.
    func endOfBreak(at offset: Int) -> Int {
        let isPair =
            bytes[offset] == UInt8(ascii: "\r") && offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n")
        return offset + (isPair ? 2 : 1)
    }

    /// Returns the lines of a range without their line breaks.
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

    /// Returns whether a range contains a line break.
    func hasBreak(_ range: Range<Int>) -> Bool { bytes[range].contains(where: Self.isBreak) }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    static func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}

/// The comments and white space between a token and the previous one.
struct Trivia {
    /// The comment on the line of the previous token.
    var trailing: TrailingComment?
    /// Comments on separate lines.
    var comments: [Comment] = []
    /// Whether the token is on a later line than the previous one.
    var hasBreak = false
    /// Whether a blank line directly precedes the token.
    var isAfterBlank = false

    /// Creates the trivia between two tokens by parsing the gap.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - gap: The byte range between the tokens.
    ///   - isAtLineStart: Whether the gap starts at the start of a line.
    /// - Throws: ``FormatFailure`` if the gap contains anything besides white space and comments.
    init(source: SourceText, gap: Range<Int>, isAtLineStart: Bool) throws(FormatFailure) {
        let bytes = source.bytes
        // The number of line breaks since the last token or comment.
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
                // libyaml also ends comments at Unicode line breaks, which a token may follow.
                guard index < gap.upperBound || gap.upperBound == bytes.count else {
                    throw FormatFailure("a comment contains a different kind of line break", at: start)
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
                throw FormatFailure("unexpected character", at: index)
            }
        }
        if isAtLineStart { hasBreak = true }
        isAfterBlank = breaks > 1
    }

    init() {}
}

/// A comment on a separate line.
struct Comment {
    /// The bytes from `#` to the last visible character.
    var text: Range<Int>
    /// The number of bytes before the comment in its line.
    var column: Int
    /// Whether a blank line precedes the comment.
    var isAfterBlank: Bool
}

/// A comment that follows other content on the same line.
struct TrailingComment {
    /// The bytes from `#` to the last visible character.
    var text: Range<Int>
    /// The number of blanks before the comment.
    var gap: Int
    /// The number of bytes from the first content of the line to the comment.
    var column: Int
}

/// An error that reports a text that cannot be formatted and must stay unchanged.
public struct FormatFailure: Error, Sendable, Hashable {
    /// The reason, as a continuation of "it cannot be formatted:".
    public var reason: String
    /// The byte offset of the problem; nil if it has no specific location.
    public var offset: Int?

    init(_ reason: String, at offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }
}
