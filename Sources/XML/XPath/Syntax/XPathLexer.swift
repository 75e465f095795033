import Basics

/// The lexer of XPath expressions (XPath 1.0, section 3.7).
struct XPathLexer {
    /// The names of axes (section 2.2).
    static let axes = [
        "ancestor", "ancestor-or-self", "attribute", "child", "descendant", "descendant-or-self", "following",
        "following-sibling", "namespace", "parent", "preceding", "preceding-sibling", "self",
    ]

    /// The names of node types (section 2.3).
    static let nodeTypes = ["comment", "node", "processing-instruction", "text"]

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var tokens: [XPathToken] = []

    private init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    /// Returns the tokens of an expression.
    ///
    /// - Throws: ``XMLError`` with its location for an invalid character.
    static func tokens(_ scalars: [Unicode.Scalar]) throws(XMLError) -> [XPathToken] {
        var lexer = XPathLexer(scalars)
        while true {
            lexer.skipSpace()
            guard let scalar = lexer.scalar(0) else { return lexer.tokens }
            try lexer.read(scalar)
        }
    }

    private func scalar(_ offset: Int) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    private mutating func skipSpace() {
        while let scalar = scalar(0), scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
            index += 1
        }
    }

    private mutating func add(_ kind: XPathToken.Kind, length: Int = 1) {
        tokens.append(XPathToken(kind: kind, start: index, end: index + length))
        index += length
    }

    private func error(_ message: MessageText, length: Int = 1) -> XMLError {
        XMLError(kind: .xpath, message: message, column: index + 1, length: length)
    }

    // MARK: Symbols

    private mutating func read(_ first: Unicode.Scalar) throws(XMLError) {
        let second = scalar(1)
        switch first {
        case "(": add(.leftParenthesis)
        case ")": add(.rightParenthesis)
        case "[": add(.leftBracket)
        case "]": add(.rightBracket)
        case "@": add(.at)
        case ",": add(.comma)
        case "/": second == "/" ? add(.doubleSlash, length: 2) : add(.slash)
        case "+": add(.operator(.add))
        case "-": add(.operator(.subtract))
        case "<": second == "=" ? add(.operator(.lessOrEqual), length: 2) : add(.operator(.less))
        case ">": second == "=" ? add(.operator(.greaterOrEqual), length: 2) : add(.operator(.greater))
        case "*":
            add(tokens.last?.endsOperand == true ? .operator(.multiply) : .nameTest(prefix: nil, localName: nil))
        case "." where second.map(Self.isDigit) == true: readNumber()
        case ".": second == "." ? add(.doubleDot, length: 2) : add(.dot)
        case "\"", "'": try readLiteral(first)
        case "=":
            if second == "=" { throw error("\"==\" is not an operator; write \"=\"", length: 2) }
            add(.operator(.equal))
        case "!":
            guard second == "=" else { throw error("\"!\" is not an operator; write not(…)") }
            add(.operator(.unequal), length: 2)
        case "|":
            if second == "|" { throw error("\"||\" is not an operator; write \"or\"", length: 2) }
            add(.operator(.union))
        case "&":
            let length = second == "&" ? 2 : 1
            throw error("\"\(length == 2 ? "&&" : "&")\" is not an operator; write \"and\"", length: length)
        case ":" where second == ":": add(.doubleColon, length: 2)
        case "$" where second == "{": throw error("an XPath cannot contain an expression ${…}", length: 2)
        case "$": throw error("XPath variables are not supported")
        default:
            if Self.isDigit(first) {
                readNumber()
            } else if XMLName.isNameStart(first) {
                try readName()
            } else {
                throw error("unexpected \(Self.shown(first))")
            }
        }
    }

    private mutating func readLiteral(_ quote: Unicode.Scalar) throws(XMLError) {
        guard let end = scalars[(index + 1)...].firstIndex(of: quote) else {
            throw error("unterminated string", length: scalars.count - index)
        }
        add(.literal, length: end + 1 - index)
    }

    private mutating func readNumber() {
        var length = 0
        while let scalar = scalar(length), Self.isDigit(scalar) { length += 1 }
        if scalar(length) == "." {
            length += 1
            while let scalar = scalar(length), Self.isDigit(scalar) { length += 1 }
        }
        add(.number, length: length)
    }

    // MARK: Names

    private mutating func readName() throws(XMLError) {
        let first = nameLength(at: 0)
        let name = text(0..<first)
        if tokens.last?.endsOperand == true {
            switch name {
            case "or": add(.operator(.or), length: first)
            case "and": add(.operator(.and), length: first)
            case "div": add(.operator(.divide), length: first)
            case "mod": add(.operator(.modulo), length: first)
            default: throw error("expected an operator, found \"\(name)\"", length: first)
            }
            return
        }
        var prefix: String?
        var localName: String? = name
        var length = first
        if scalar(first) == ":", let next = scalar(first + 1), next != ":" {
            prefix = name
            if next == "*" {
                localName = nil
                length = first + 2
            } else {
                let second = nameLength(at: first + 1)
                guard second > 0 else {
                    throw error("expected a name after \"\(name):\"", length: first + 1)
                }
                localName = text((first + 1)..<(first + 1 + second))
                length = first + 1 + second
            }
        }
        var following = length
        while let scalar = scalar(following), scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
            following += 1
        }
        if scalar(following) == "(", let localName {
            if prefix == nil, Self.nodeTypes.contains(localName) {
                add(.nodeType(localName), length: length)
            } else {
                add(.function(prefix.map { "\($0):\(localName)" } ?? localName), length: length)
            }
        } else if scalar(following) == ":", scalar(following + 1) == ":" {
            guard prefix == nil, Self.axes.contains(name) else {
                throw XMLError(
                    kind: .xpath, message: "unknown axis \"\(text(0..<length))\"", column: index + 1,
                    length: length, known: Self.axes)
            }
            add(.axis(name), length: length)
        } else {
            add(.nameTest(prefix: prefix, localName: localName), length: length)
        }
    }

    /// Returns the length of the name without a colon at an offset from the current position; 0 for none.
    private func nameLength(at offset: Int) -> Int {
        guard let first = scalar(offset), XMLName.isNameStart(first) else { return 0 }
        var length = 1
        while let scalar = scalar(offset + length), XMLName.isNamePart(scalar) { length += 1 }
        return length
    }

    private func text(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[(index + range.lowerBound)..<(index + range.upperBound)])
        return String(text)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        scalar.value < 0x20 || scalar.value == 0x7F
            ? "character U+\(String(scalar.value + 0x10000, radix: 16, uppercase: true).dropFirst())" : "\"\(scalar)\""
    }
}

/// A token of an XPath expression (XPath 1.0, section 3.7), with its location in Unicode scalars.
struct XPathToken: Sendable {
    /// The kind of a token.
    enum Kind: Sendable, Hashable {
        case leftParenthesis, rightParenthesis, leftBracket, rightBracket, dot, doubleDot, at, comma, doubleColon
        case slash, doubleSlash, literal, number
        case `operator`(XPathOperator)
        /// A name, `*` or `prefix:*`; nil matches any.
        case nameTest(prefix: String?, localName: String?)
        /// The name of a node type before a parenthesis: `text`, `node`, `comment`, `processing-instruction`.
        case nodeType(String)
        /// The name of a function before a parenthesis.
        case function(String)
        /// The name of an axis before `::`.
        case axis(String)
    }

    let kind: Kind
    /// The offset of the token in Unicode scalars.
    let start: Int
    /// The offset after the token in Unicode scalars.
    let end: Int

    /// Whether a name or `*` after this token is an operator.
    var endsOperand: Bool {
        switch kind {
        case .rightParenthesis, .rightBracket, .dot, .doubleDot, .literal, .number, .nameTest, .nodeType, .function,
            .axis:
            true
        case .leftParenthesis, .leftBracket, .at, .comma, .doubleColon, .slash, .doubleSlash, .operator: false
        }
    }

    /// Whether a location step can start with this token.
    var beginsStep: Bool {
        switch kind {
        case .dot, .doubleDot, .at, .nameTest, .nodeType, .axis: true
        default: false
        }
    }
}

/// A binary operator.
enum XPathOperator: Sendable, Hashable {
    case or, and, equal, unequal, less, lessOrEqual, greater, greaterOrEqual, add, subtract, multiply, divide, modulo
    case union

    /// The precedence of the operator; 0 for the union, which binds more tightly than unary minus.
    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .unequal: 3
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 4
        case .add, .subtract: 5
        case .multiply, .divide, .modulo: 6
        case .union: 0
        }
    }

    /// The type of the operator's value.
    var result: XPathType {
        switch self {
        case .or, .and, .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual: .boolean
        case .add, .subtract, .multiply, .divide, .modulo: .number
        case .union: .nodes
        }
    }
}

/// The type of an expression's value (XPath 1.0, section 1).
enum XPathType: Sendable, Hashable {
    case nodes, string, number, boolean

    /// The name of the type after "got" in messages.
    var phrase: String {
        switch self {
        case .nodes: "nodes"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "a boolean"
        }
    }
}
