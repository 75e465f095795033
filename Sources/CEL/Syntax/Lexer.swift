/// Splits an expression into tokens (cel-spec, "Lexis").
struct Lexer {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The tokens up to the end or the first fault (an unknown character, an unfinished or malformed literal), the last
    /// one being `.end`, and that fault.
    mutating func tokens() -> (tokens: [Token], fault: SourceFault?) {
        var tokens: [Token] = []
        while true {
            skipBlanksAndComments()
            guard let byte = peek() else { break }
            do throws(SourceFault) {
                tokens.append(try token(startingWith: byte))
            } catch {
                let place = error.span.lowerBound
                tokens.append(Token(kind: .end, span: place..<place))
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

    /// The fault of an operator of another language, if one is next.
    private func foreignSigns() -> SourceFault? {
        for length in [3, 2, 1] where position + length <= bytes.count {
            let signs = String(decoding: bytes[position..<position + length], as: UTF8.self)
            switch signs {
            // `a - >b`, `a ? .5 : 1` and `a ?[1] : [2]` are not meant so; `**` and others are left to the parser's place.
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
            throw SourceFault("the name in backquotes has no end", start..<position)
        }
        position += 1
        let name = String(decoding: bytes[(start + 1)..<(position - 1)], as: UTF8.self)
        guard !name.isEmpty else { throw SourceFault("a name in backquotes cannot be empty", start..<position) }
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
