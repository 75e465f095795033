import Basics

/// The rules for writing words of a shell command.
package struct ShellDialect: Sendable {
    /// The bytes besides letters and digits of words that stand without quotes.
    private let plain: [UInt8]
    /// Whether `printf` writes the bytes of the standard input; otherwise `base64` decodes them.
    private let printsEscapes: Bool
    /// Whether a text may stand as it is, in apostrophes; any other is written with escapes.
    private let shows: @Sendable (String) -> Bool

    /// Creates a dialect.
    ///
    /// - Parameters:
    ///   - plain: The bytes besides letters and digits of words that stand without quotes.
    ///   - printsEscapes: Whether `printf` writes the bytes of the standard input; otherwise `base64` decodes them.
    ///   - shows: Whether a text may stand as it is, in apostrophes; any other is written with escapes.
    package init(plain: String, printsEscapes: Bool, shows: @escaping @Sendable (String) -> Bool) {
        self.plain = Array(plain.utf8)
        self.printsEscapes = printsEscapes
        self.shows = shows
    }

    /// Words for any POSIX shell: apostrophes keep everything but an apostrophe, line breaks too (POSIX.1, section 2.2.2).
    package static let posix = ShellDialect(plain: "-_./:@%+,=", printsEscapes: false) { _ in true }

    /// Returns a word that a shell reads as exactly these bytes, which have no NUL.
    ///
    /// Plain words stay as they are and texts are put in apostrophes; others are written as `$'…'` (POSIX.1-2024,
    /// section 2.2.4), which bash, zsh and ksh know.
    package func word(_ bytes: some Collection<UInt8>, isQuoted: Bool = false) -> String {
        if bytes.isEmpty { return "''" }
        if !isQuoted, bytes.allSatisfy({ ASCII.isAlphanumeric($0) || plain.contains($0) }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        guard let text = String(validating: bytes, as: UTF8.self), shows(text) else {
            return "$'" + Self.escaped(bytes) + "'"
        }
        var word = "'"
        // An apostrophe may be a part of a character, with what combines with it: a shell reads bytes.
        for scalar in text.unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }

    /// Returns a word that a shell reads as a text, which has no NUL.
    package func word(_ text: String) -> String { word(text.utf8) }

    /// Returns a command that a shell reads as these words, which have no NUL.
    package func command(_ words: [String]) -> String { words.map { word($0) }.joined(separator: " ") }

    /// Returns a command that writes exactly these bytes.
    func source(of bytes: [UInt8]) -> String {
        if printsEscapes { return "printf " + Self.printfWord(bytes) }
        return "printf %s \(word(Base64.encode(bytes))) | base64 -d"
    }

    /// Returns the operand of `printf` that prints exactly these bytes.
    package static func printfWord(_ bytes: some Collection<UInt8>) -> String {
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
}
