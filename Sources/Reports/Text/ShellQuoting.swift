import Diagnostics

/// Words of a shell command.
enum ShellQuoting {
    /// A word that a shell reads as exactly these bytes, which hold no NUL.
    ///
    /// Plain words stay as they are and printable ones are put in apostrophes; others are written as `$'…'` (POSIX.1-2024,
    /// section 2.2.4), which bash, zsh and ksh know.
    static func word(_ bytes: some Collection<UInt8>) -> String {
        if bytes.isEmpty { return "''" }
        if bytes.allSatisfy(isPlain) { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validating: bytes, as: UTF8.self), DisplayWidth.printable(text).utf8.count == bytes.count {
            var word = "'"
            // An apostrophe may be a part of a character, with what combines with it: a shell reads bytes.
            for scalar in text.unicodeScalars {
                if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
            }
            return word + "'"
        }
        return "$'" + escaped(bytes) + "'"
    }

    /// A word that a shell reads as a text, which holds no NUL.
    static func word(_ text: String) -> String { word(text.utf8) }

    /// A command that a shell reads as these words, which hold no NUL.
    static func command(_ words: [String]) -> String { words.map(word).joined(separator: " ") }

    /// The operand of `printf` that prints exactly these bytes.
    static func printfWord(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        var bytes = bytes[...]
        // Neither an option nor "--" is read the same way by every printf.
        if bytes.first == UInt8(ascii: "-") { text = octal(bytes.removeFirst()) }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "%"): text += "%%"
            case UInt8(ascii: "\\"): text += "\\\\"
            case UInt8(ascii: "'"): text += "'\\''"
            case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += octal(byte)
            }
        }
        return "'" + text + "'"
    }

    private static func escaped(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case 0x0A: text += "\\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case UInt8(ascii: "'"): text += "\\'"
            case UInt8(ascii: "\\"): text += "\\\\"
            case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
            // Three octal digits end by themselves, where a shell may read any number of hexadecimal ones.
            default: text += octal(byte)
            }
        }
        return text
    }

    private static func octal(_ byte: UInt8) -> String { "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)" }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-_./:@%+,".utf8.contains(byte)
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
