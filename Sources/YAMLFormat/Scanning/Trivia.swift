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
