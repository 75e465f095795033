/// One form of a secret, as it may stand in a text.
///
/// A pattern is matched through escapes: any of its bytes may stand in the text percent-encoded (RFC 3986, section 2.1),
/// as a JSON escape (RFC 8259, section 7) or as a reference of XML (XML 1.0, section 4.1), and a space as `+`, so that one
/// pattern finds every mixture of them.
struct SecretPattern: Hashable {
    /// The shortest part of the bytes that is masked where the text was cut off beside it.
    private static let shortestPart = SecretWindows.length

    /// The bytes to find; never empty.
    let bytes: [UInt8]
    /// Whether the base64 digit before a match holds some of the secret's bits.
    let extendsLeft: Bool
    /// Whether the base64 digit behind a match holds some of the secret's bits.
    let extendsRight: Bool
    /// Whether only a whole value matches, as the bytes are so short that they stand everywhere.
    let isWhole: Bool

    init(bytes: [UInt8], extendsLeft: Bool = false, extendsRight: Bool = false, isWhole: Bool = false) {
        self.isWhole = isWhole
        self.bytes = bytes
        self.extendsLeft = extendsLeft
        self.extendsRight = extendsRight
    }

    /// The end of the match that begins at a position, or nil.
    func matchEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        var position = start
        var index = 0
        while index < bytes.count {
            if take(from: text, &position, &index, since: (start, 0)) { continue }
            // Of a long text a message shows the beginning, which may end within the secret.
            return index >= Self.shortestPart && Self.isCutOff(text, at: position) ? position : nil
        }
        if isWhole, !Self.isWholeValue(text, start..<position) { return nil }
        return extended(position, in: text)
    }

    /// The end of the longest part of the pattern that begins at a position, behind `…`, or nil.
    ///
    /// It is a part of a text that was cut at its beginning, and must reach to the pattern's end or to another `…`.
    func partEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        guard !isWhole, bytes.count > Self.shortestPart else { return nil }
        var longest: Int?
        for first in 1...(bytes.count - Self.shortestPart) {
            var position = start
            var index = first
            while index < bytes.count, take(from: text, &position, &index, since: (start, first)) {}
            guard index - first >= Self.shortestPart else { continue }
            if index == bytes.count {
                longest = max(longest ?? 0, extended(position, in: text))
            } else if Self.isCutOff(text, at: position) {
                longest = max(longest ?? 0, position)
            }
        }
        return longest
    }

    /// Moves on by the pattern's next byte, or by more of them that stand in the text as one escape; false when others
    /// stand there.
    ///
    /// - Parameter start: Where the match began, in the text and in the pattern.
    private func take(
        from text: UnsafeBufferPointer<UInt8>, _ position: inout Int, _ index: inout Int,
        since start: (position: Int, index: Int)
    ) -> Bool {
        guard position < text.count else { return false }
        let wanted = bytes[index]
        let byte = text[position]
        if byte == UInt8(ascii: "%"), Self.percentDecoded(text, at: position) == wanted {
            position += 3
            index += 1
        } else if byte == UInt8(ascii: "\\"), let escape = Self.unescaped(text, at: position),
            index + escape.bytes.count <= bytes.count,
            bytes[index..<index + escape.bytes.count].elementsEqual(escape.bytes)
        {
            position += escape.length
            index += escape.bytes.count
        } else if byte == UInt8(ascii: "&"), let reference = Self.referenced(text, at: position),
            index + reference.bytes.count <= bytes.count,
            bytes[index..<index + reference.bytes.count].elementsEqual(reference.bytes),
            wanted != byte || !isPlain(text, since: start)
        {
            position += reference.length
            index += reference.bytes.count
        } else if byte == wanted || (byte == UInt8(ascii: "+") && wanted == UInt8(ascii: " ")) {
            position += 1
            index += 1
        } else {
            return false
        }
        return true
    }

    /// The end of a match with what else of the text holds some of the secret's bits.
    private func extended(_ end: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        guard extendsRight else { return end }
        var position = end
        if position < text.count, Self.isBase64Digit(text[position]) { position += 1 }
        for _ in 0..<2 where position < text.count && text[position] == UInt8(ascii: "=") { position += 1 }
        return position
    }

    /// Whether a text was cut off at a position, or within an escape that begins there.
    private static func isCutOff(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        guard position < text.count else { return false }
        switch text[position] {
        case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"):
            // None but that of two code units is longer than six bytes.
            return (position + 1...position + 11).contains { isCut(text, at: $0) }
        default: return isCut(text, at: position)
        }
    }

    /// Whether a text was cut off at a position, which `…` tells.
    static func isCut(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        position + 2 < text.count && text[position] == 0xE2 && text[position + 1] == 0x80 && text[position + 2] == 0xA6
    }

    /// Whether the pattern stands in the text as it is, so that a reference in it is one of the secret's own.
    private func isPlain(_ text: UnsafeBufferPointer<UInt8>, since start: (position: Int, index: Int)) -> Bool {
        let rest = bytes[start.index...]
        return start.position + rest.count <= text.count
            && text[start.position..<start.position + rest.count].elementsEqual(rest)
    }

    /// Whether a range of a text is all of it, or stands between what delimits values in JSON, XML, YAML, forms and URLs.
    private static func isWholeValue(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        if range.lowerBound > 0 {
            switch text[range.lowerBound - 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: ":"),
                UInt8(ascii: ";"), UInt8(ascii: "["), UInt8(ascii: ","), 0x0A:
                break
            case UInt8(ascii: " "):
                // As in `pin: 12`, not in prose.
                guard range.lowerBound > 1, text[range.lowerBound - 2] == UInt8(ascii: ":") else { return false }
            default: return false
            }
        }
        guard range.upperBound < text.count else { return true }
        switch text[range.upperBound] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\\"), 0x0A, 0x0D:
            return true
        default: return false
        }
    }

    static func isBase64Digit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The byte that a percent-encoded triplet stands for.
    static func percentDecoded(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt8? {
        guard position + 2 < text.count, let high = hexadecimalDigit(text[position + 1]),
            let low = hexadecimalDigit(text[position + 2])
        else { return nil }
        return high << 4 | low
    }

    /// The UTF-8 bytes that a JSON escape stands for, and the bytes that it takes in the text.
    static func unescaped(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (bytes: [UInt8], length: Int)? {
        guard position + 1 < text.count else { return nil }
        switch text[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return ([text[position + 1]], 2)
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "b"): return ([0x08], 2)
        case UInt8(ascii: "f"): return ([0x0C], 2)
        case UInt8(ascii: "u"):
            guard let first = codeUnit(text, at: position + 2) else { return nil }
            if let scalar = Unicode.Scalar(first) { return (Array(String(scalar).utf8), 6) }
            guard (0xD800..<0xDC00).contains(first), position + 7 < text.count,
                text[position + 6] == UInt8(ascii: "\\"), text[position + 7] == UInt8(ascii: "u"),
                let second = codeUnit(text, at: position + 8), (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { return nil }
            return (Array(String(scalar).utf8), 12)
        default: return nil
        }
    }

    private static func codeUnit(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt32? {
        guard position + 3 < text.count else { return nil }
        var value: UInt32 = 0
        for index in position..<position + 4 {
            guard let digit = hexadecimalDigit(text[index]) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
