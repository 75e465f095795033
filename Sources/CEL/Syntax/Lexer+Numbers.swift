extension Lexer {
    /// Reads an int, uint or double literal.
    mutating func number() throws(SourceFault) -> Token {
        let start = position
        if peek() == UInt8(ascii: "0"), let marker = peek(1), marker == UInt8(ascii: "x") || marker == UInt8(ascii: "X")
        {
            position += 2
            let digits = position
            while let byte = peek(), Self.hexadecimalValue(byte) != nil { position += 1 }
            guard position > digits else {
                throw SourceFault("a hexadecimal number needs digits after 0x", start..<position)
            }
            return try integer(from: start, digits: digits..<position, radix: 16)
        }
        skipDigits()
        var isDouble = false
        if peek() == UInt8(ascii: "."), let next = peek(1), Self.isDigit(next) {
            isDouble = true
            position += 1
            skipDigits()
        }
        if let marker = peek(), marker == UInt8(ascii: "e") || marker == UInt8(ascii: "E") {
            let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if let digit = peek(hasSign ? 2 : 1), Self.isDigit(digit) {
                isDouble = true
                position += hasSign ? 2 : 1
                skipDigits()
            }
        }
        guard isDouble else { return try integer(from: start, digits: start..<position, radix: 10) }
        try refuseLetter(after: start)
        guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            throw SourceFault("malformed number", start..<position)
        }
        return Token(kind: .double(value), span: start..<position)
    }

    private mutating func skipDigits() {
        while let byte = peek(), Self.isDigit(byte) { position += 1 }
    }

    private mutating func integer(from start: Int, digits: Range<Int>, radix: Int) throws(SourceFault) -> Token {
        let value = UInt64(String(decoding: bytes[digits], as: UTF8.self), radix: radix)
        if let suffix = peek(), suffix == UInt8(ascii: "u") || suffix == UInt8(ascii: "U") {
            position += 1
            try refuseLetter(after: start)
            guard let value else {
                throw SourceFault("the number is out of the range of uint (64 bits)", start..<position)
            }
            return Token(kind: .uint(value), span: start..<position)
        }
        try refuseLetter(after: start)
        guard let value else {
            throw SourceFault("the number is out of the range of int (64 bits)", start..<position)
        }
        return Token(kind: .int(value), span: start..<position)
    }

    private mutating func refuseLetter(after start: Int) throws(SourceFault) {
        guard let byte = peek(), Self.isIdentifierPart(byte) else { return }
        let isSeparated = byte == UInt8(ascii: "_")
        while let byte = peek(), Self.isIdentifierPart(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let isDuration = ["ns", "us", "ms", "s", "m", "h", "d"].contains(String(text.drop { !$0.isLetter }))
        throw SourceFault(
            isSeparated
                ? "malformed number; digits are written without separators"
                : isDuration ? "malformed number; a duration is written duration(\"\(text)\")" : "malformed number",
            start..<position)
    }

    static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x41 + 10)
        case 0x61...0x66: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }
}
