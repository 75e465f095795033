extension Assertion {
    /// Returns whether the assertion holds at a position of a text.
    func holds(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        let before = position > 0 ? text[position - 1] : nil
        let after = position < text.count ? text[position] : nil
        switch self {
        case .ecmaScriptLineStart:
            return before == nil || before == 0x0A || before == 0x0D
                || Self.isSeparator(text, endingAt: position)
        case .ecmaScriptLineEnd:
            return after == nil || after == 0x0A || after == 0x0D
                || Self.isSeparator(text, endingAt: position + 3)
        case .foldedWordBoundary, .notFoldedWordBoundary:
            let isBefore = Self.isWord(before) || Self.isFoldedWord(text, endingAt: position)
            let isAfter =
                Self.isWord(after) || Self.isLongS(text, endingAt: position + 2)
                || Self.isKelvinSign(text, endingAt: position + 3)
            return (isBefore != isAfter) == (self == .foldedWordBoundary)
        default:
            return holds(before: before, after: after)
        }
    }

    /// Returns whether the assertion holds between two bytes; nil stands for the start or end of the text.
    func holds(before: UInt8?, after: UInt8?) -> Bool {
        switch self {
        case .textStart: before == nil
        case .textEnd: after == nil
        case .lineStart, .ecmaScriptLineStart: before == nil || before == 0x0A
        case .lineEnd, .ecmaScriptLineEnd: after == nil || after == 0x0A
        case .wordBoundary, .foldedWordBoundary: Self.isWord(before) != Self.isWord(after)
        case .notWordBoundary, .notFoldedWordBoundary: Self.isWord(before) == Self.isWord(after)
        }
    }

    /// Returns whether a byte is an ASCII word character.
    static func isWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }

    /// Returns whether U+2028 or U+2029 ends at a position.
    private static func isSeparator(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        end >= 3 && end <= text.count && text[end - 3] == 0xE2 && text[end - 2] == 0x80
            && (text[end - 1] == 0xA8 || text[end - 1] == 0xA9)
    }

    private static func isFoldedWord(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        isLongS(text, endingAt: end) || isKelvinSign(text, endingAt: end)
    }

    private static func isLongS(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        end >= 2 && end <= text.count && text[end - 2] == 0xC5 && text[end - 1] == 0xBF
    }

    private static func isKelvinSign(_ text: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        end >= 3 && end <= text.count && text[end - 3] == 0xE2 && text[end - 2] == 0x84 && text[end - 1] == 0xAA
    }
}
