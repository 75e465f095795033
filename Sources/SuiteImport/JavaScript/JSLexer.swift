import Basics

/// Splits JavaScript into tokens.
struct JSLexer {
    private let text: [UInt8]
    private let end: Int
    private var position: Int
    /// Whether a slash starts a regular expression rather than a division.
    private var allowsRegularExpression = true
    /// For each open parenthesis, whether a slash after its end starts a regular expression, as in `if (x) /a/`.
    private var parentheses: [Bool] = []
    /// The number of templates around the current one.
    private var templateDepth = 0

    private static let maximumTemplateDepth = 16

    /// Returns the tokens of a range of a script, with one for the end.
    static func tokens(of text: [UInt8], in range: Range<Int>) throws(JSSyntaxError) -> [JSToken] {
        var lexer = JSLexer(text: text, end: range.upperBound, position: range.lowerBound)
        var tokens: [JSToken] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private init(text: [UInt8], end: Int, position: Int) {
        self.text = text
        self.end = end
        self.position = position
    }

    private func byte(_ distance: Int = 0) -> UInt8 {
        let index = position + distance
        return index < end ? text[index] : 0
    }

    private mutating func next() throws(JSSyntaxError) -> JSToken {
        let isAfterNewline = try skipSpace()
        let start = position
        guard start < end else { return JSToken(kind: .end, range: end..<end, isAfterNewline: true) }
        let kind = try kind()
        note(kind)
        return JSToken(kind: kind, range: start..<position, isAfterNewline: isAfterNewline)
    }

    private mutating func kind() throws(JSSyntaxError) -> JSToken.Kind {
        let first = byte()
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string(first))
        case UInt8(ascii: "`"): return try template()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: ".") where ASCII.isDigit(byte(1)): return .number(try number())
        case UInt8(ascii: "/") where allowsRegularExpression: return try regularExpression()
        default: break
        }
        if Self.isNamePart(first) { return .name(name()) }
        for length in stride(from: 4, through: 1, by: -1) where position + length <= end {
            let text = String(decoding: text[position..<position + length], as: UTF8.self)
            if Self.punctuators.contains(text) {
                position += length
                return .punctuator(text)
            }
        }
        throw JSSyntaxError(offset: position)
    }

    private static let punctuators: Set<String> = [
        "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "<=", ">=", "==", "!=", "===", "!==", "+", "-", "*", "/", "%",
        "**", "++", "--", "<<", ">>", ">>>", "&", "|", "^", "!", "~", "&&", "||", "??", "?", "?.", ":", "=", "+=", "-=",
        "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=", "=>", ".", "...",
    ]

    /// The keywords after which a slash starts a regular expression.
    private static let prefixKeywords: Set<String> = [
        "return", "typeof", "case", "in", "of", "new", "delete", "void", "throw", "else", "do", "await", "instanceof",
    ]

    /// The keywords before parentheses that a statement follows.
    private static let headKeywords: Set<String> = ["if", "while", "for", "with"]

    private var lastName: String?

    /// Decides the meaning of the next slash.
    private mutating func note(_ kind: JSToken.Kind) {
        switch kind {
        case .name(let name):
            allowsRegularExpression = Self.prefixKeywords.contains(name)
            lastName = name
            return
        case .punctuator("("):
            parentheses.append(lastName.map(Self.headKeywords.contains) ?? false)
            allowsRegularExpression = true
        case .punctuator(")"): allowsRegularExpression = parentheses.popLast() ?? false
        case .punctuator("]"), .punctuator("++"), .punctuator("--"): allowsRegularExpression = false
        case .punctuator: allowsRegularExpression = true
        case .number, .string, .template, .regularExpression, .end: allowsRegularExpression = false
        }
        lastName = nil
    }

    /// Skips white space and comments, and returns whether a line ends in them.
    private mutating func skipSpace() throws(JSSyntaxError) -> Bool {
        var hasNewline = position == 0
        while position < end {
            switch byte() {
            case 0x0A, 0x0D:
                hasNewline = true
                position += 1
            case 0x20, 0x09, 0x0B, 0x0C: position += 1
            // A no-break space or a byte order mark.
            case 0xC2 where byte(1) == 0xA0: position += 2
            case 0xEF where byte(1) == 0xBB && byte(2) == 0xBF: position += 3
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
                while position < end, byte() != 0x0A { position += 1 }
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
                let start = position
                position += 2
                while !(byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/")) {
                    guard position < end else { throw JSSyntaxError(offset: start) }
                    if byte() == 0x0A { hasNewline = true }
                    position += 1
                }
                position += 2
            default: return hasNewline
            }
        }
        return hasNewline
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    private mutating func name() -> String {
        let start = position
        while position < end, Self.isNamePart(byte()) { position += 1 }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private mutating func number() throws(JSSyntaxError) -> String {
        let start = position
        if byte() == UInt8(ascii: "0"), "xXoObB".utf8.contains(byte(1)) {
            let radix = ["x": 16, "o": 8, "b": 2][String(decoding: [byte(1) | 0x20], as: UTF8.self)] ?? 16
            position += 2
            while ASCII.isAlphanumeric(byte()) { position += 1 }
            guard let value = Int(String(decoding: text[start + 2..<position], as: UTF8.self), radix: radix) else {
                throw JSSyntaxError(offset: start)
            }
            return String(value)
        }
        var digits = ""
        while ASCII.isDigit(byte()) || byte() == UInt8(ascii: "_") || byte() == UInt8(ascii: ".") {
            if byte() != UInt8(ascii: "_") { digits.unicodeScalars.append(Unicode.Scalar(byte())) }
            position += 1
        }
        if byte() | 0x20 == UInt8(ascii: "e") {
            let sign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 1 : 0
            guard ASCII.isDigit(byte(1 + sign)) else { throw JSSyntaxError(offset: start) }
            digits += String(decoding: text[position...position + sign], as: UTF8.self)
            position += 1 + sign
            while ASCII.isDigit(byte()) {
                digits.unicodeScalars.append(Unicode.Scalar(byte()))
                position += 1
            }
        }
        if byte() == UInt8(ascii: "n"), !digits.contains(".") {
            // A BigInt keeps its suffix.
            digits += "n"
            position += 1
        }
        if digits.hasPrefix(".") { digits = "0" + digits }
        if digits.hasSuffix(".") { digits.removeLast() }
        guard digits.utf8.count(where: { $0 == UInt8(ascii: ".") }) <= 1, !Self.isNamePart(byte()) else {
            throw JSSyntaxError(offset: start)
        }
        return digits
    }

    // MARK: Strings

    private mutating func string(_ quote: UInt8) throws(JSSyntaxError) -> String {
        let start = position
        position += 1
        var bytes: [UInt8] = []
        while byte() != quote {
            guard position < end, byte() != 0x0A else { throw JSSyntaxError(offset: start) }
            try character(into: &bytes)
        }
        position += 1
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func template() throws(JSSyntaxError) -> JSToken.Kind {
        let start = position
        position += 1
        var texts: [String] = []
        var substitutions: [Range<Int>] = []
        var bytes: [UInt8] = []
        while byte() != UInt8(ascii: "`") {
            guard position < end else { throw JSSyntaxError(offset: start) }
            if byte() == UInt8(ascii: "$"), byte(1) == UInt8(ascii: "{") {
                position += 2
                texts.append(String(decoding: bytes, as: UTF8.self))
                bytes = []
                let first = position
                try skipSubstitution(start)
                substitutions.append(first..<position)
                position += 1
            } else {
                try character(into: &bytes)
            }
        }
        position += 1
        texts.append(String(decoding: bytes, as: UTF8.self))
        return .template(texts, substitutions)
    }

    /// Moves to the brace that ends a substitution.
    private mutating func skipSubstitution(_ start: Int) throws(JSSyntaxError) {
        var depth = 0
        while position < end {
            switch byte() {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = try string(byte())
                continue
            case UInt8(ascii: "`"):
                templateDepth += 1
                guard templateDepth < Self.maximumTemplateDepth else { throw JSSyntaxError(offset: start) }
                _ = try template()
                templateDepth -= 1
                continue
            default: break
            }
            position += 1
        }
        throw JSSyntaxError(offset: start)
    }

    /// Reads a character of a string, with its escape.
    private mutating func character(into bytes: inout [UInt8]) throws(JSSyntaxError) {
        guard byte() == UInt8(ascii: "\\") else {
            bytes.append(byte())
            position += 1
            return
        }
        let start = position
        position += 2
        guard position <= end else { throw JSSyntaxError(offset: start) }
        switch text[position - 1] {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "v"): bytes.append(0x0B)
        case UInt8(ascii: "0"): bytes.append(0x00)
        case 0x0A: break
        case 0x0D: if byte() == 0x0A { position += 1 }
        case UInt8(ascii: "x"): append(try hexadecimal(2, start), to: &bytes)
        case UInt8(ascii: "u"):
            if byte() == UInt8(ascii: "{") {
                position += 1
                var count = 0
                while byte(count) != UInt8(ascii: "}"), count < 7 { count += 1 }
                append(try hexadecimal(count, start), to: &bytes)
                position += 1
                return
            }
            var value = try hexadecimal(4, start)
            if value & 0xFC00 == 0xD800, byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
                position += 2
                value = 0x10000 + (value & 0x3FF) << 10 + (try hexadecimal(4, start)) & 0x3FF
            }
            append(value, to: &bytes)
        default: bytes.append(text[position - 1])
        }
    }

    private mutating func hexadecimal(_ count: Int, _ start: Int) throws(JSSyntaxError) -> UInt32 {
        guard position + count <= end,
            let value = UInt32(String(decoding: text[position..<position + count], as: UTF8.self), radix: 16)
        else { throw JSSyntaxError(offset: start) }
        position += count
        return value
    }

    private func append(_ value: UInt32, to bytes: inout [UInt8]) {
        bytes += Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    }

    private mutating func regularExpression() throws(JSSyntaxError) -> JSToken.Kind {
        let start = position
        position += 1
        var isInClass = false
        while isInClass || byte() != UInt8(ascii: "/") {
            guard position < end, byte() != 0x0A else { throw JSSyntaxError(offset: start) }
            switch byte() {
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            default: break
            }
            position += 1
        }
        guard position < end else { throw JSSyntaxError(offset: start) }
        let pattern = String(decoding: text[start + 1..<position], as: UTF8.self)
        position += 1
        return .regularExpression(pattern, flags: Self.isNamePart(byte()) && position < end ? name() : "")
    }
}
