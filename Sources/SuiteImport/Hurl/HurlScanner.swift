import Basics

/// An error in the syntax of a Hurl file.
struct HurlSyntaxError: Error, Sendable, Hashable {
    /// The syntax that is expected at the offset.
    var expected: String
    var offset: Int
}

/// The position in the text of a Hurl file, and the reading of strings.
struct HurlScanner {
    /// The maximum number of placeholders within the arguments of placeholders.
    private static let maximumDepth = 8

    let bytes: [UInt8]
    var position = 0
    /// The number of placeholders around the position.
    private var depth = 0
    /// The comments since they were last taken, each with whether a blank line is before it.
    private var comments: [(text: String, isAfterBlank: Bool)] = []
    /// The number of comments up to the end of the last line with content.
    private var ownCount = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    // MARK: Bytes

    var isAtEnd: Bool { position >= bytes.count }
    /// The byte at the position; nil at the end.
    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    func peek(_ distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    mutating func take(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8.count
        return true
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func fail(_ expected: String, at offset: Int? = nil) -> HurlSyntaxError {
        HurlSyntaxError(expected: expected, offset: min(offset ?? position, bytes.count))
    }

    // MARK: Space

    mutating func skipBlanks() {
        while let byte = current, ASCII.isBlank(byte) || byte == 0x0D { position += 1 }
    }

    mutating func skipWhitespace() {
        while let byte = current, ASCII.isWhitespace(byte) { position += 1 }
    }

    /// The end of the line, without its line break.
    var endOfLine: Int { bytes[position...].firstIndex(of: 0x0A) ?? bytes.count }

    var isAtEndOfLine: Bool { current == nil || current == 0x0A || current == UInt8(ascii: "#") }

    /// Skips empty lines and comments, which are kept.
    mutating func skipLines() {
        var isAfterBlank = position == 0 || position >= 2 && bytes[position - 1] == 0x0A && bytes[position - 2] == 0x0A
        while !isAtEnd {
            let start = position
            skipBlanks()
            if current == 0x0A {
                isAfterBlank = true
                position += 1
            } else if current == UInt8(ascii: "#") {
                keepComment(isAfterBlank: isAfterBlank)
                isAfterBlank = false
                if current == 0x0A { position += 1 }
            } else {
                if isAtEnd { return }
                position = start
                skipBlanks()
                return
            }
        }
    }

    /// Moves to the next line, which only a comment may precede.
    mutating func finishLine() throws(HurlSyntaxError) {
        skipBlanks()
        if current == UInt8(ascii: "#") { keepComment(isAfterBlank: false) }
        if isAtEnd { return }
        guard current == 0x0A else { throw fail("the end of the line") }
        position += 1
        ownCount = comments.count
    }

    private mutating func keepComment(isAfterBlank: Bool) {
        let end = endOfLine
        var text = ASCII.trimmed(bytes[(position + 1)..<end], ASCII.isWhitespace)[...]
        while text.first == UInt8(ascii: "#") || text.first == 0x20 { text = text.dropFirst() }
        comments.append((String(decoding: text, as: UTF8.self), isAfterBlank))
        position = end
    }

    mutating func takeComments() -> [(text: String, isAfterBlank: Bool)] {
        defer {
            comments = []
            ownCount = 0
        }
        return comments
    }

    /// Removes and returns the comments of the part that was read last: those up to its last line, and directly after it.
    mutating func takeOwnComments() -> [String] {
        let next = comments[min(ownCount, comments.count)...].firstIndex(where: \.isAfterBlank) ?? comments.count
        defer {
            comments.removeFirst(next)
            ownCount = 0
        }
        return comments[..<next].map(\.text)
    }

    // MARK: Words

    /// Returns the word of letters and digits at the position, without moving.
    var word: String {
        var end = position
        while end < bytes.count, ASCII.isAlphanumeric(bytes[end]) || bytes[end] == UInt8(ascii: "_") { end += 1 }
        return text(position..<end)
    }

    // MARK: Strings

    /// Reads text until a closing byte or a condition, with escapes and placeholders.
    ///
    /// - Parameter ends: Whether the text ends at the position.
    mutating func text(
        escapes: Bool = true, isQuoted: Bool = false, until ends: (borrowing HurlScanner) -> Bool
    ) throws(HurlSyntaxError) -> HurlText {
        var result = HurlText()
        var literal: [UInt8] = []
        func flush() {
            result.append(String(decoding: literal, as: UTF8.self))
            literal = []
        }
        while !isAtEnd, !ends(self) {
            if starts(with: "{{") {
                flush()
                result.append(try placeholder())
            } else if escapes, current == UInt8(ascii: "\\") {
                literal += try escape().utf8
            } else {
                literal.append(bytes[position])
                position += 1
            }
        }
        flush()
        if isQuoted, result.parts.count == 1, case .placeholder(var placeholder) = result.parts[0] {
            placeholder.isQuoted = true
            result = HurlText()
            result.append(placeholder)
        }
        return result
    }

    private mutating func escape() throws(HurlSyntaxError) -> String {
        let start = position
        position += 1
        guard let byte = current else { throw fail("a character after the backslash") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u") where current == UInt8(ascii: "{"):
            let digits = bytes[(position + 1)...].prefix { Hexadecimal.isDigit($0) }
            let end = position + 1 + digits.count
            guard digits.count <= 8, end < bytes.count, bytes[end] == UInt8(ascii: "}"),
                let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(value)
            else { throw fail("a code point in hexadecimal digits", at: start) }
            position = end + 1
            return String(Character(scalar))
        case 0x21..<0x7F where !ASCII.isAlphanumeric(byte), 0x20: return String(UnicodeScalar(byte))
        default: throw fail("an escape sequence", at: start)
        }
    }

    /// Reads a string in double quotes.
    mutating func quoted() throws(HurlSyntaxError) -> HurlText {
        let start = position
        position += 1
        let text = try text(isQuoted: true) { $0.current == UInt8(ascii: "\"") || $0.current == 0x0A }
        guard current == UInt8(ascii: "\"") else { throw fail("a closing quote", at: start) }
        position += 1
        return text
    }

    /// Reads the value of a field: the rest of the line without a comment.
    mutating func value() throws(HurlSyntaxError) -> HurlText {
        skipBlanks()
        var text = try text { $0.isAtEndOfLine }
        text.trimEnd()
        return text
    }

    /// Reads a pattern between slashes.
    mutating func regex() throws(HurlSyntaxError) -> String {
        let start = position
        position += 1
        var pattern: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: "/"), byte != 0x0A {
            if byte == UInt8(ascii: "\\"), let next = peek(1), next != 0x0A {
                // Only the delimiter needs the backslash because it is the delimiter.
                if next != UInt8(ascii: "/") { pattern.append(byte) }
                pattern.append(next)
                position += 2
            } else {
                pattern.append(byte)
                position += 1
            }
        }
        guard current == UInt8(ascii: "/") else { throw fail("a closing slash", at: start) }
        position += 1
        return String(decoding: pattern, as: UTF8.self)
    }

    /// Reads the bytes or the name after `base64,`, `hex,` or `file,`, up to the semicolon.
    mutating func delimited() throws(HurlSyntaxError) -> HurlText {
        let start = position
        let text = try text { $0.current == UInt8(ascii: ";") }
        guard current == UInt8(ascii: ";") else { throw fail("a closing semicolon", at: start) }
        position += 1
        return text.trimmed
    }

    // MARK: Placeholders

    /// Reads `{{…}}`.
    mutating func placeholder() throws(HurlSyntaxError) -> HurlPlaceholder {
        let start = position
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw fail("fewer placeholders within placeholders") }
        position += 2
        skipBlanks()
        var end = position
        while end < bytes.count,
            ASCII.isAlphanumeric(bytes[end]) || "_-".utf8.contains(bytes[end]) || bytes[end] >= 0x80
        { end += 1 }
        guard end > position else { throw fail("the name of a variable", at: start) }
        var result = HurlPlaceholder(name: text(position..<end))
        position = end
        skipBlanks()
        if current == UInt8(ascii: "\"") {
            result.argument = try quoted()
            skipBlanks()
        }
        while !isAtEnd, !starts(with: "}}") {
            guard let filter = try filter() else { throw fail("`}}`") }
            result.filters.append(filter)
            skipBlanks()
        }
        guard take("}}") else { throw fail("`}}`", at: start) }
        return result
    }
}
