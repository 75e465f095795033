import Basics

/// The quoting rules for the words of a shell command.
package struct ShellDialect: Sendable {
    /// The bytes, besides letters and digits, that words without quotes may contain.
    private let plain: [UInt8]
    /// Whether the standard input is written with `printf` escapes rather than decoded with `base64`.
    private let printsEscapes: Bool
    /// Whether a string can be written in single quotes; any other is written with escapes.
    private let shows: @Sendable (String) -> Bool

    /// Creates a dialect.
    ///
    /// - Parameters:
    ///   - plain: The ASCII characters, besides letters and digits, that words without quotes may contain.
    ///   - printsEscapes: Whether the standard input is written with `printf` escapes rather than decoded with
    ///   `base64`.
    ///   - shows: Returns whether a string can be written in single quotes; any other is written with escapes.
    package init(plain: String, printsEscapes: Bool, shows: @escaping @Sendable (String) -> Bool) {
        self.plain = Array(plain.utf8)
        self.printsEscapes = printsEscapes
        self.shows = shows
    }

    /// The dialect of any POSIX shell. Single quotes preserve everything but a single quote, even line breaks (POSIX.1,
    /// section 2.2.2).
    package static let posix = ShellDialect(plain: "-_./:@%+,=", printsEscapes: false) { _ in true }

    /// Returns a word that a shell reads as exactly the given bytes, which must not contain NUL.
    ///
    /// Plain words are returned unchanged, and text is put in single quotes. Other bytes are written as `$'…'`
    /// (POSIX.1-2024, section 2.2.4), which bash, zsh and ksh support.
    package func word(_ bytes: some Collection<UInt8>, isQuoted: Bool = false) -> String {
        if bytes.isEmpty { return "''" }
        if !isQuoted, bytes.allSatisfy({ ASCII.isAlphanumeric($0) || plain.contains($0) }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        guard let text = String(validating: bytes, as: UTF8.self), shows(text) else {
            return "$'" + Self.escaped(bytes) + "'"
        }
        var word = "'"
        // A shell reads bytes, but a `Character` can combine a single quote with other scalars.
        for scalar in text.unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }

    /// Returns a word that a shell reads as exactly the given string, which must not contain NUL.
    package func word(_ text: String) -> String { word(text.utf8) }

    /// Returns a command that a shell reads as exactly the given words, which must not contain NUL.
    package func command(_ words: [String]) -> String { words.map { word($0) }.joined(separator: " ") }

    /// Returns a command that writes exactly the given bytes.
    func source(of bytes: [UInt8]) -> String {
        if printsEscapes { return "printf " + Self.printfWord(bytes) }
        return "printf %s \(word(Base64.encode(bytes))) | base64 -d"
    }

    /// Returns the operand with which `printf` prints exactly the given bytes.
    package static func printfWord(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        var bytes = bytes[...]
        // Implementations of printf disagree on options and on "--".
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
            // An octal escape has at most three digits; some shells read any number of hexadecimal digits.
            default: text += octal(byte)
            }
        }
        return text
    }

    private static func octal(_ byte: UInt8) -> String { "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)" }
}
