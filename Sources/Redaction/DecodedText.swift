import Basics

/// A decoded text with a mapping from each of its bytes to the source.
struct DecodedText {
    /// A run of decoded bytes that differs from its source.
    private struct Edit {
        /// The offset and the number of bytes in the decoded text.
        let start, count: Int
        /// The offset and the number of bytes in the source.
        let sourceStart, sourceCount: Int
    }

    /// The bytes of the decoded text.
    private(set) var bytes: [UInt8] = []
    private var edits: [Edit] = []
    /// Whether a decoded character may be part of another escape.
    private(set) var hasNewEscapes = false
    /// Whether the decoded text extends to the end of its source.
    private(set) var isWhole = true

    /// Whether the decoded text differs from its source.
    var isChanged: Bool { !edits.isEmpty }

    /// Appends bytes of the source unchanged.
    mutating func copy(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[range]))
    }

    /// Appends the decoded bytes of a range of the source.
    ///
    /// - Parameters:
    ///   - source: The range of the source.
    ///   - append: A closure that appends the decoded bytes, or nothing if the range is removed.
    mutating func replace(_ source: Range<Int>, append: (inout [UInt8]) -> Void) {
        let start = bytes.count
        append(&bytes)
        edits.append(
            Edit(
                start: start, count: bytes.count - start, sourceStart: source.lowerBound, sourceCount: source.count))
    }

    /// Returns the range of the source for a nonempty range of the decoded text.
    func source(of range: Range<Int>) -> Range<Int> {
        source(ofByte: range.lowerBound).lowerBound..<source(ofByte: range.upperBound - 1).upperBound
    }

    private func source(ofByte index: Int) -> Range<Int> {
        let next = firstEdit(after: index)
        guard next > 0 else { return index..<index + 1 }
        let edit = edits[next - 1]
        let beyond = index - edit.start - edit.count
        if beyond < 0 { return edit.sourceStart..<edit.sourceStart + edit.sourceCount }
        let position = edit.sourceStart + edit.sourceCount + beyond
        return position..<position + 1
    }

    /// Returns whether a range contains decoded bytes or is adjacent to some.
    func isChanged(in range: Range<Int>) -> Bool {
        let next = firstEdit(after: range.upperBound)
        return next > 0 && edits[next - 1].start + edits[next - 1].count >= range.lowerBound
    }

    /// Returns the index of the first edit that starts after a byte.
    private func firstEdit(after index: Int) -> Int {
        var low = 0
        var high = edits.count
        while low < high {
            let middle = (low + high) >> 1
            if edits[middle].start <= index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns a text with some of its escapes decoded; nil if it contains none of them.
    ///
    /// - Parameters:
    ///   - escapes: The kinds of escapes to decode.
    ///   - text: The text to decode.
    ///   - reach: The number of bytes around each escape to copy. A run of more distant bytes becomes one NUL.
    static func undoing(_ escapes: Escapes, in text: UnsafeBufferPointer<UInt8>, reach: Int = .max) -> DecodedText? {
        var result = DecodedText()
        var copied = 0
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "\""):
                guard let character = escapes.decoded(text, at: position) else { break }
                result.copy(text, copied..<position, reach: reach, isFirst: copied == 0)
                result.replace(position..<position + character.length, append: character.append)
                if Escapes.mayBegin(character.value) { result.hasNewEscapes = true }
                position += character.length
                copied = position
                continue
            default: break
            }
            position += 1
        }
        guard result.isChanged else { return nil }
        let end = reach < text.count - copied ? copied + reach : text.count
        result.copy(text, copied..<end)
        result.isWhole = end == text.count
        return result
    }

    /// Appends the bytes between two escapes, or only those that are near one of them.
    private mutating func copy(
        _ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, reach: Int, isFirst: Bool
    ) {
        let before = isFirst ? 0 : reach
        guard before < range.count, reach < range.count - before else { return copy(source, range) }
        copy(source, range.lowerBound..<range.lowerBound + before)
        replace(range.lowerBound + before..<range.upperBound - reach) { $0.append(0) }
        copy(source, range.upperBound - reach..<range.upperBound)
    }

    /// Returns the UTF-8 encoding of a UTF-16 text.
    ///
    /// Unpaired surrogates become U+FFFD.
    ///
    /// - Parameters:
    ///   - text: The bytes to decode.
    ///   - start: The offset of the first code unit: 0 or 1.
    ///   - isBigEndian: Whether the code units are big-endian.
    ///   - isMapped: Whether ``source(of:)`` must work for the result, which takes a multiple of the memory.
    static func utf16(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, isBigEndian: Bool, isMapped: Bool
    ) -> DecodedText {
        func unit(_ position: Int) -> UInt32 {
            let (first, second) = (UInt32(text[position]), UInt32(text[position + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        var result = DecodedText()
        result.bytes.reserveCapacity(text.count / 2)
        var position = start
        while position + 1 < text.count {
            var value = unit(position)
            var length = 2
            if (0xD800..<0xDC00).contains(value), position + 3 < text.count,
                case let second = unit(position + 2), (0xDC00..<0xE000).contains(second)
            {
                value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00)
                length = 4
            } else if (0xD800..<0xE000).contains(value) {
                value = 0xFFFD
            }
            let character = Escapes.Character(value: value, length: length)
            if isMapped {
                result.replace(position..<position + length, append: character.append)
            } else {
                character.append(to: &result.bytes)
            }
            position += length
        }
        return result
    }
}

/// Sets of escape syntaxes: percent-encoding, backslash escapes, XML references, and doubled quotation marks.
struct Escapes: OptionSet {
    let rawValue: UInt8

    /// Percent-encoding (RFC 3986, section 2.1).
    static let percent = Escapes(rawValue: 1)
    /// Backslash escapes in JSON (RFC 8259), CEL, Swift, YAML, C, and the shell.
    static let backslash = Escapes(rawValue: 2)
    /// References in XML (XML 1.0, section 4.1) and HTML.
    static let reference = Escapes(rawValue: 4)
    /// A doubled quotation mark, as in YAML, CSV, and SQL.
    static let doubledQuote = Escapes(rawValue: 8)

    /// The escapes that are decoded together, because one of them may produce an escape of another kind.
    static let nested: Escapes = [.percent, .backslash, .reference]
    static let single: [Escapes] = [.percent, .backslash, .reference, .doubledQuote]

    /// Returns whether an escape may start or end with a character.
    static func mayBegin(_ value: UInt32) -> Bool {
        switch value {
        case 0x25, 0x26, 0x5C, 0x3B, 0x23, 0x7B, 0x7D, 0x22, 0x27: true
        default: false
        }
    }

    /// Returns the kind of escape that starts with a byte; the empty set if there is none.
    static func kind(of byte: UInt8) -> Escapes {
        switch byte {
        case UInt8(ascii: "%"): .percent
        case UInt8(ascii: "\\"): .backslash
        case UInt8(ascii: "&"): .reference
        default: []
        }
    }

    /// The character or byte that an escape represents.
    struct Character {
        /// The Unicode scalar value, or the byte.
        let value: UInt32
        /// Whether the value is a byte. A byte of 0x80 or more is not a Unicode scalar.
        var isByte = false
        /// The length of the escape in bytes.
        let length: Int

        /// Appends the character in UTF-8.
        func append(to bytes: inout [UInt8]) {
            if isByte || value < 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: value))
            } else if let scalar = Unicode.Scalar(value) {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// Returns the character that the escape at a position represents; nil for any other character.
    func decoded(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Character? {
        switch text[position] {
        case UInt8(ascii: "%") where contains(.percent):
            guard let byte = Self.hexadecimal(text, at: position + 1, digits: 2) else { return nil }
            return Character(value: byte, isByte: true, length: 3)
        case UInt8(ascii: "\\") where contains(.backslash): return Self.unescaped(text, at: position)
        case UInt8(ascii: "&") where contains(.reference): return Self.referenced(text, at: position)
        case UInt8(ascii: "'") where contains(.backslash) && Self.stands(#"'\''"#, in: text, at: position):
            // The shell's notation for an apostrophe within a single-quoted string.
            return Character(value: 0x27, length: 4)
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            guard contains(.doubledQuote), position + 1 < text.count, text[position + 1] == text[position] else {
                return nil
            }
            return Character(value: UInt32(text[position]), length: 2)
        default: return nil
        }
    }

    /// Returns the character that a backslash escape represents.
    private static func unescaped(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Character? {
        guard position + 1 < text.count else { return nil }
        let byte = text[position + 1]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"), UInt8(ascii: "`"),
            UInt8(ascii: "$"), UInt8(ascii: "?"), UInt8(ascii: " "):
            return Character(value: UInt32(byte), length: 2)
        case UInt8(ascii: "n"): return Character(value: 0x0A, length: 2)
        case UInt8(ascii: "t"): return Character(value: 0x09, length: 2)
        case UInt8(ascii: "r"): return Character(value: 0x0D, length: 2)
        case UInt8(ascii: "b"): return Character(value: 0x08, length: 2)
        case UInt8(ascii: "f"): return Character(value: 0x0C, length: 2)
        case UInt8(ascii: "v"): return Character(value: 0x0B, length: 2)
        case UInt8(ascii: "a"): return Character(value: 0x07, length: 2)
        case UInt8(ascii: "e"): return Character(value: 0x1B, length: 2)
        case UInt8(ascii: "N"): return Character(value: 0x85, length: 2)
        case UInt8(ascii: "_"): return Character(value: 0xA0, length: 2)
        case UInt8(ascii: "L"): return Character(value: 0x2028, length: 2)
        case UInt8(ascii: "P"): return Character(value: 0x2029, length: 2)
        case UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "U"):
            if position + 2 < text.count, text[position + 2] == UInt8(ascii: "{") {
                return braced(text, at: position)
            }
            if byte == UInt8(ascii: "x") {
                return hexadecimal(text, at: position + 2, digits: 2).map {
                    Character(value: $0, isByte: true, length: 4)
                }
            }
            if byte == UInt8(ascii: "U") {
                return hexadecimal(text, at: position + 2, digits: 8).flatMap { scalar($0, length: 10) }
            }
            return codeUnits(text, at: position)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var value = 0
            var index = position + 1
            while index < text.count, index < position + 4, case let digit = text[index] &- 0x30, digit < 8 {
                value = value << 3 | Int(digit)
                index += 1
            }
            guard value < 256, index == position + 4 || value == 0 else { return nil }
            return Character(value: UInt32(value), isByte: true, length: index - position)
        default: return nil
        }
    }

    /// Returns the scalar of `\uXXXX`, or of a surrogate pair of two such escapes.
    private static func codeUnits(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Character? {
        guard let first = hexadecimal(text, at: position + 2, digits: 4) else { return nil }
        if let character = scalar(first, length: 6) { return character }
        guard (0xD800..<0xDC00).contains(first), stands(#"\u"#, in: text, at: position + 6),
            let second = hexadecimal(text, at: position + 8, digits: 4), (0xDC00..<0xE000).contains(second)
        else { return nil }
        return scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), length: 12)
    }

    private static func scalar(_ value: UInt32, length: Int) -> Character? {
        Unicode.Scalar(value) == nil ? nil : Character(value: value, length: length)
    }

    /// Returns the scalar of `\u{X}`.
    private static func braced(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Character? {
        let start = position + 3
        var value: UInt32 = 0
        var index = start
        while index < text.count, index < start + 8, let digit = Hexadecimal.value(of: text[index]) {
            value = value << 4 | UInt32(digit)
            index += 1
        }
        guard index > start, index < text.count, text[index] == UInt8(ascii: "}") else { return nil }
        return scalar(value, length: index + 1 - position)
    }

    /// The predefined entities of XML (XML 1.0, section 4.6) and the no-break space of HTML.
    private static let named: [(name: StaticString, scalar: UInt32)] = [
        ("amp;", 0x26), ("lt;", 0x3C), ("gt;", 0x3E), ("quot;", 0x22), ("apos;", 0x27), ("nbsp;", 0xA0),
    ]

    /// Returns the character that a reference such as `&amp;` or `&#x26;` represents.
    private static func referenced(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Character? {
        guard position + 1 < text.count else { return nil }
        if text[position + 1] != UInt8(ascii: "#") {
            for (name, scalar) in named where stands(name, in: text, at: position + 1) {
                return Character(value: scalar, length: name.utf8CodeUnitCount + 1)
            }
            return nil
        }
        var index = position + 2
        let isHexadecimal = index < text.count && text[index] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { index += 1 }
        let first = index
        var value: UInt32 = 0
        // No scalar value has more than eight digits. Longer runs of leading zeros are not worth a longer search.
        while index < text.count, index < first + 8, let digit = Hexadecimal.value(of: text[index]),
            isHexadecimal || digit < 10
        {
            value = value &* (isHexadecimal ? 16 : 10) &+ UInt32(digit)
            index += 1
        }
        guard index > first, index < text.count, text[index] == UInt8(ascii: ";") else { return nil }
        return scalar(value, length: index + 1 - position)
    }

    private static func stands(_ word: StaticString, in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        word.withUTF8Buffer { word in
            position + word.count <= text.count
                && word.indices.allSatisfy { text[position + $0] == word[$0] }
        }
    }

    /// Returns the value of a fixed number of hexadecimal digits at a position; nil if they are not all digits.
    static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>, at position: Int, digits: Int) -> UInt32? {
        guard position + digits <= text.count else { return nil }
        var value: UInt32 = 0
        for index in position..<position + digits {
            guard let digit = Hexadecimal.value(of: text[index]) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
