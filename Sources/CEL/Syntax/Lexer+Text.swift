extension Lexer {
    /// Reads a string or bytes literal whose prefix, if any, has been read; the position is at the quote.
    mutating func text(from start: Int, isRaw: Bool, isBytes: Bool) throws(SourceFault) -> Token {
        guard let quote = peek() else { throw SourceFault("the string has no end", start..<position) }
        // As in 'it's', where the second quote ends the text.
        let isInWord = start > 0 && position == start && Self.isIdentifierPart(bytes[start - 1])
        let isTriple = peek(1) == quote && peek(2) == quote
        position += isTriple ? 3 : 1
        var content: [UInt8] = []
        while true {
            guard let byte = peek() else {
                let shown = quote == UInt8(ascii: "'") ? "'" : "\""
                throw SourceFault(
                    "the string has no end" + (isInWord ? "; a \(shown) within a text is written \\\(shown)" : ""),
                    start..<position)
            }
            if byte == quote, !isTriple || (peek(1) == quote && peek(2) == quote) {
                position += isTriple ? 3 : 1
                break
            }
            if byte == 0x0A || byte == 0x0D, !isTriple {
                throw SourceFault(
                    "the string has no end on its line; a string of several lines is written in triple quotes",
                    start..<position)
            }
            if byte == UInt8(ascii: "\\"), !isRaw {
                try escape(into: &content, isBytes: isBytes)
            } else {
                content.append(byte)
                position += 1
            }
        }
        let span = start..<position
        guard !isBytes else { return Token(kind: .bytes(content), span: span) }
        return Token(kind: .string(String(decoding: content, as: UTF8.self)), span: span)
    }

    private mutating func escape(into content: inout [UInt8], isBytes: Bool) throws(SourceFault) {
        let start = position
        guard let letter = peek(1) else { throw SourceFault("the string has no end", start..<bytes.count) }
        position += 2
        switch letter {
        case UInt8(ascii: "a"): content.append(0x07)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "v"): content.append(0x0B)
        case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            content.append(letter)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            append(try digits(2, radix: 16, start), to: &content, isByte: isBytes)
        case UInt8(ascii: "u") where !isBytes:
            let value = try digits(4, radix: 16, start)
            try appendScalar(value, to: &content, start)
        case UInt8(ascii: "U") where !isBytes:
            let value = try digits(8, radix: 16, start)
            try appendScalar(value, to: &content, start)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            position -= 1
            append(try digits(3, radix: 8, start), to: &content, isByte: isBytes)
        default:
            let hint = isBytes ? "" : "; a backslash itself is written \\\\ (or use a raw string r\"…\")"
            throw SourceFault("unknown escape sequence\(hint)", start..<min(bytes.count, position))
        }
    }

    private mutating func digits(_ count: Int, radix: UInt32, _ start: Int) throws(SourceFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let byte = peek(), let digit = Self.hexadecimalValue(byte), digit < radix else {
                throw SourceFault("the escape sequence needs \(count) digits", start..<position)
            }
            value = value &* radix &+ digit
            position += 1
        }
        return value
    }

    private func append(_ value: UInt32, to content: inout [UInt8], isByte: Bool) {
        if isByte || value < 0x80 {
            content.append(UInt8(truncatingIfNeeded: value))
        } else if let scalar = Unicode.Scalar(value) {
            content.append(contentsOf: String(scalar).utf8)
        }
    }

    private func appendScalar(_ value: UInt32, to content: inout [UInt8], _ start: Int) throws(SourceFault) {
        guard let scalar = Unicode.Scalar(value) else {
            throw SourceFault("the escape sequence names no Unicode character", start..<position)
        }
        content.append(contentsOf: String(scalar).utf8)
    }
}
