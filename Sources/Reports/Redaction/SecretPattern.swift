/// One form of a secret, as it may stand in a text.
///
/// A pattern is matched through escapes: any of its bytes may stand in the text percent-encoded (RFC 3986, section 2.1),
/// as a JSON escape (RFC 8259, section 7) or as a reference of XML (XML 1.0, section 4.1), and a space as `+`, so that one
/// pattern finds every mixture of them.
struct SecretPattern: Hashable {
    /// The shortest beginning or end of the bytes that is masked where the text was cut off there.
    private static let shortestBeginning = 6

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
            guard position < text.count else { return nil }
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
                wanted != byte || !isPlain(text, at: start)
            {
                position += reference.length
                index += reference.bytes.count
            } else if byte == wanted || (byte == UInt8(ascii: "+") && wanted == UInt8(ascii: " ")) {
                position += 1
                index += 1
            } else {
                // Of a long text a message shows the beginning, which may end within the secret.
                return index >= Self.shortestBeginning && Self.isCut(text, at: position) ? position : nil
            }
        }
        if isWhole, !Self.isWholeValue(text, start..<position) { return nil }
        guard extendsRight else { return position }
        if position < text.count, Self.isBase64Digit(text[position]) { position += 1 }
        for _ in 0..<2 where position < text.count && text[position] == UInt8(ascii: "=") { position += 1 }
        return position
    }

    /// Whether a text was cut off at a position, which `…` tells.
    static func isCut(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
        position + 2 < text.count && text[position] == 0xE2 && text[position + 1] == 0x80 && text[position + 2] == 0xA6
    }

    /// Whether the pattern stands in the text as it is, so that a reference in it is one of the secret's own.
    private func isPlain(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        start + bytes.count <= text.count && text[start..<start + bytes.count].elementsEqual(bytes)
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

    /// Where the end of a cut secret ends that begins at a position, or nil.
    func cutMatchEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        guard bytes.count > Self.shortestBeginning else { return nil }
        for index in 1...(bytes.count - Self.shortestBeginning) {
            let rest = bytes[index...]
            guard start + rest.count <= text.count, text[start] == bytes[index] else { continue }
            if text[start..<start + rest.count].elementsEqual(rest) { return start + rest.count }
        }
        return nil
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
