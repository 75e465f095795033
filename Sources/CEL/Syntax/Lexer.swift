import Basics

/// Splits an expression into tokens (cel-spec, "Lexis").
struct Lexer {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the tokens up to the end or the first lexical error, and that error.
    ///
    /// The last token is always `.end`. Lexical errors are unknown characters and malformed or unterminated literals.
    mutating func tokens() -> (tokens: [Token], fault: SourceFault?) {
        var tokens: [Token] = []
        while true {
            skipBlanksAndComments()
            guard let byte = peek() else { break }
            do throws(SourceFault) {
                tokens.append(try token(startingWith: byte))
            } catch {
                let location = error.span.lowerBound
                tokens.append(Token(kind: .end, span: location..<location))
                return (tokens, error)
            }
        }
        tokens.append(Token(kind: .end, span: bytes.count..<bytes.count))
        return (tokens, nil)
    }

    func peek(_ distance: Int = 0) -> UInt8? {
        let index = position + distance
        return index < bytes.count ? bytes[index] : nil
    }

    private mutating func skipBlanksAndComments() {
        while let byte = peek() {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while let byte = peek(), byte != 0x0A { position += 1 }
            default: return
            }
        }
    }

    private mutating func token(startingWith byte: UInt8) throws(SourceFault) -> Token {
        let start = position
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "."):
            if let next = peek(1), Self.isDigit(next) { return try number() }
            return symbol(.dot, 1)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try text(from: start, isRaw: false, isBytes: false)
        case UInt8(ascii: "`"): return try quotedIdentifier()
        case _ where Self.isIdentifierStart(byte): return try identifierOrText()
        default: return try symbolToken(byte)
        }
    }

    private mutating func symbol(_ symbol: Token.Symbol, _ length: Int) -> Token {
        defer { position += length }
        return Token(kind: .symbol(symbol), span: position..<position + length)
    }

    private mutating func symbolToken(_ byte: UInt8) throws(SourceFault) -> Token {
        if let fault = foreignSigns() { throw fault }
        let next = peek(1)
        let isDoubled = next == byte
        let hasEquals = next == UInt8(ascii: "=")
        switch byte {
        case UInt8(ascii: "("): return symbol(.leftParenthesis, 1)
        case UInt8(ascii: ")"): return symbol(.rightParenthesis, 1)
        case UInt8(ascii: "["): return symbol(.leftBracket, 1)
        case UInt8(ascii: "]"): return symbol(.rightBracket, 1)
        case UInt8(ascii: "{"): return symbol(.leftBrace, 1)
        case UInt8(ascii: "}"): return symbol(.rightBrace, 1)
        case UInt8(ascii: ","): return symbol(.comma, 1)
        case UInt8(ascii: ":"): return symbol(.colon, 1)
        case UInt8(ascii: "?"): return symbol(.question, 1)
        case UInt8(ascii: "+"): return symbol(.plus, 1)
        case UInt8(ascii: "-"): return symbol(.minus, 1)
        case UInt8(ascii: "*"): return symbol(.asterisk, 1)
        case UInt8(ascii: "/"): return symbol(.slash, 1)
        case UInt8(ascii: "%"): return symbol(.percent, 1)
        case UInt8(ascii: "!"): return hasEquals ? symbol(.notEqual, 2) : symbol(.not, 1)
        case UInt8(ascii: "<"): return hasEquals ? symbol(.lessOrEqual, 2) : symbol(.less, 1)
        case UInt8(ascii: ">"): return hasEquals ? symbol(.greaterOrEqual, 2) : symbol(.greater, 1)
        case UInt8(ascii: "=") where hasEquals: return symbol(.equal, 2)
        case UInt8(ascii: "&") where isDoubled: return symbol(.and, 2)
        case UInt8(ascii: "|") where isDoubled: return symbol(.or, 2)
        default:
            let range = span(scalarLength())
            let scalar = String(decoding: bytes[range], as: UTF8.self).unicodeScalars.first
            let hint = scalar.flatMap(ForeignSpelling.ofCharacter).map { "; " + $0 } ?? ""
            throw SourceFault("unexpected character \(shownScalar())\(hint)", range)
        }
    }

    /// Returns the error for an operator of another language, if one is next.
    private func foreignSigns() -> SourceFault? {
        for length in [3, 2, 1] where position + length <= bytes.count {
            let signs = String(decoding: bytes[position..<position + length], as: UTF8.self)
            switch signs {
            // `a - >b`, `a ? .5 : 1`, and `a ?[1] : [2]` are valid. The parser reports `**` and others at the right
            // position.
            case "?.", "?[": continue
            case "&", "|", "=":
                if peek(1) == bytes[position] { return nil }
            default: break
            }
            if let message = ForeignSpelling.ofSigns(signs) { return SourceFault(message, span(length)) }
        }
        return nil
    }

    private mutating func identifierOrText() throws(SourceFault) -> Token {
        let start = position
        while let byte = peek(), Self.isIdentifierPart(byte) { position += 1 }
        if let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            switch String(decoding: bytes[start..<position], as: UTF8.self) {
            case "r", "R": return try text(from: start, isRaw: true, isBytes: false)
            case "b", "B": return try text(from: start, isRaw: false, isBytes: true)
            case "br", "bR", "Br", "BR": return try text(from: start, isRaw: true, isBytes: true)
            default: break
            }
        }
        return Token(
            kind: .identifier(String(decoding: bytes[start..<position], as: UTF8.self)), span: start..<position)
    }

    private mutating func quotedIdentifier() throws(SourceFault) -> Token {
        let start = position
        position += 1
        while let byte = peek(), byte != UInt8(ascii: "`"), byte != 0x0A { position += 1 }
        guard peek() == UInt8(ascii: "`") else {
            throw SourceFault("unterminated name: expected a closing backquote", start..<position)
        }
        position += 1
        let name = String(decoding: bytes[(start + 1)..<(position - 1)], as: UTF8.self)
        guard !name.isEmpty else { throw SourceFault("a name in backquotes must not be empty", start..<position) }
        return Token(kind: .quotedIdentifier(name), span: start..<position)
    }

    func span(_ length: Int) -> Range<Int> {
        position..<min(bytes.count, position + length)
    }

    private func scalarLength() -> Int {
        var length = 1
        while let byte = peek(length), byte & 0xC0 == 0x80 { length += 1 }
        return length
    }

    private func shownScalar() -> String {
        let scalar = String(decoding: bytes[span(scalarLength())], as: UTF8.self)
        guard let first = scalar.unicodeScalars.first, first.value >= 0x20, first.value != 0x7F else {
            return "U+00" + (bytes[position] < 16 ? "0" : "") + String(bytes[position], radix: 16, uppercase: true)
        }
        return "\"\(scalar)\""
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isIdentifierStart(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }

    static func isIdentifierPart(_ byte: UInt8) -> Bool { isIdentifierStart(byte) || isDigit(byte) }
}

extension Lexer {
    /// Parses an int, uint, or double literal.
    mutating func number() throws(SourceFault) -> Token {
        let start = position
        if peek() == UInt8(ascii: "0"), let marker = peek(1), marker == UInt8(ascii: "x") || marker == UInt8(ascii: "X")
        {
            position += 2
            let digits = position
            while let byte = peek(), Hexadecimal.isDigit(byte) { position += 1 }
            guard position > digits else {
                throw SourceFault("expected hexadecimal digits after 0x", start..<position)
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
                throw SourceFault("the number is out of range for uint (64 bits)", start..<position)
            }
            return Token(kind: .uint(value), span: start..<position)
        }
        try refuseLetter(after: start)
        guard let value else {
            throw SourceFault("the number is out of range for int (64 bits)", start..<position)
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
                ? "malformed number; remove the digit separators"
                : isDuration ? "malformed number; for a duration, write duration(\"\(text)\")" : "malformed number",
            start..<position)
    }
}

extension Lexer {
    /// Parses a string or bytes literal; the position is at the quote, after the prefix.
    mutating func text(from start: Int, isRaw: Bool, isBytes: Bool) throws(SourceFault) -> Token {
        guard let quote = peek() else { throw SourceFault("unterminated string", start..<position) }
        // As in 'it's', where the second quote ends the string.
        let isInWord = start > 0 && position == start && Self.isIdentifierPart(bytes[start - 1])
        let isTriple = peek(1) == quote && peek(2) == quote
        position += isTriple ? 3 : 1
        var content: [UInt8] = []
        while true {
            guard let byte = peek() else {
                let shown = quote == UInt8(ascii: "'") ? "'" : "\""
                throw SourceFault(
                    "unterminated string" + (isInWord ? "; inside the string, write \(shown) as \\\(shown)" : ""),
                    start..<position)
            }
            if byte == quote, !isTriple || (peek(1) == quote && peek(2) == quote) {
                position += isTriple ? 3 : 1
                break
            }
            if byte == 0x0A || byte == 0x0D, !isTriple {
                throw SourceFault(
                    "unterminated string on this line; write a multiline string in triple quotes",
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

    /// Reads an escape sequence and appends its value.
    private mutating func escape(into content: inout [UInt8], isBytes: Bool) throws(SourceFault) {
        let start = position
        guard let letter = peek(1) else { throw SourceFault("unterminated string", start..<bytes.count) }
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
            let hint = isBytes ? "" : "; write a backslash as \\\\, or use a raw string r\"…\""
            throw SourceFault("unknown escape sequence\(hint)", start..<min(bytes.count, position))
        }
    }

    private mutating func digits(_ count: Int, radix: UInt32, _ start: Int) throws(SourceFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let byte = peek(), let digit = Hexadecimal.value(of: byte).map(UInt32.init), digit < radix else {
                throw SourceFault("the escape sequence must have \(count) digits", start..<position)
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
            throw SourceFault("the escape sequence is not a Unicode character", start..<position)
        }
        content.append(contentsOf: String(scalar).utf8)
    }
}
