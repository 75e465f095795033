/// The display width of characters in a terminal, and the escapes of unprintable characters.
public enum DisplayWidth {
    /// Returns the number of columns of a string, with unprintable characters counted as their escapes.
    public static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Returns the number of columns of a character.
    public static func of(_ character: Character) -> Int {
        var sum = 0
        var isWide = false
        var count = 0
        for scalar in character.unicodeScalars {
            count += 1
            // A variation selector requests the emoji form; a pair of regional indicators is displayed as a flag.
            if scalar == "\u{FE0F}" || (0x1F1E6...0x1F1FF).contains(scalar.value) { isWide = true }
            let width = escape(scalar)?.utf8.count ?? self.width(scalar)
            if count == 1, width == 2, escape(scalar) == nil { isWide = true }
            sum += width
        }
        return isWide ? 2 : sum
    }

    /// Returns a string with the characters that would disturb a terminal replaced by their escapes.
    public static func printable(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if let escape = escape(scalar) { result += escape } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// Returns the escape of an unprintable character; nil for other characters.
    ///
    /// Unprintable are control characters, line separators, byte order marks, noncharacters, and characters that are
    /// invisible or change the direction of writing. The escapes are those of YAML's double-quoted style (YAML 1.2,
    /// section 5.7).
    static func escape(_ scalar: Unicode.Scalar) -> String? {
        let value = scalar.value
        switch value {
        case 0x20..<0x7F: return nil
        case 0x09: return "\\t"
        case 0x0A: return "\\n"
        case 0x0D: return "\\r"
        case 0x00: return "\\0"
        case ..<0xA0: return "\\x" + hexadecimal(value, digits: 2)
        case 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE...0xFFFF:
            return "\\u" + hexadecimal(value, digits: 4)
        default: return nil
        }
    }

    /// Returns the usual name of a code point, such as `U+0007`.
    public static func codePoint(_ value: UInt32) -> String { "U+" + hexadecimal(value, digits: 4) }

    /// Returns a byte as two hexadecimal digits.
    public static func hexadecimal(_ byte: UInt8) -> String { hexadecimal(UInt32(byte), digits: 2) }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        // Vowels and finals of conjoining Hangul are drawn in the block of the initial consonant.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return isEastAsianWide(value) ? 2 : 1
    }

    /// Returns whether a code point has East Asian Width W or F (Unicode Standard Annex 11), except for emoji.
    private static func isEastAsianWide(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x1100: false
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3: true
        case 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6: true
        case 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD: true
        default: false
        }
    }
}
