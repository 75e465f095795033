/// Reads the texts of keys as far as they can be keys of a language.
enum KeyText {
    /// The text of a key that is written on one line without escapes, or nil.
    static func text(of key: FormatNode, tokens: [Token], source: SourceText) -> String? {
        guard case .token(let index) = key.content else { return nil }
        let token = tokens[index]
        guard token.kind == .scalar else { return nil }
        var range = token.range
        if token.style != .plain {
            guard range.count >= 2 else { return nil }
            range = (range.lowerBound + 1)..<(range.upperBound - 1)
        }
        let bytes = source.bytes[range]
        let isSimple = bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): false
            default: !SourceText.isBreak(byte)
            }
        }
        return isSimple ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Whether a text can be written without quotes everywhere, and is a string then.
    static func isWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        switch text.lowercased() {
        case "true", "false", "null": return false
        default: break
        }
        return text.utf8.allSatisfy {
            isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
