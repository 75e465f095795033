/// A token of an expression.
struct Token {
    enum Kind {
        case identifier(String)
        /// A name in backticks, which is allowed after a dot.
        case quotedIdentifier(String)
        /// The magnitude of an int literal; a minus sign is a separate token.
        case int(UInt64)
        case uint(UInt64)
        case double(Double)
        case string(String)
        case bytes([UInt8])
        case symbol(Symbol)
        case end
    }

    /// An operator or punctuation mark.
    enum Symbol: String {
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBracket = "["
        case rightBracket = "]"
        case leftBrace = "{"
        case rightBrace = "}"
        case dot = "."
        case comma = ","
        case colon = ":"
        case question = "?"
        case plus = "+"
        case minus = "-"
        case asterisk = "*"
        case slash = "/"
        case percent = "%"
        case not = "!"
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case and = "&&"
        case or = "||"
    }

    let kind: Kind
    /// The bytes of the token in the source.
    let span: Range<Int>

    /// The name of the token in messages.
    var name: String {
        switch kind {
        case .identifier(let name): "\"\(name)\""
        case .quotedIdentifier(let name): "`\(name)`"
        case .int, .uint, .double: "a number"
        case .string: "a string"
        case .bytes: "a bytes literal"
        case .symbol(let symbol): "\"\(symbol.rawValue)\""
        case .end: "the end of the expression"
        }
    }

    func isSymbol(_ symbol: Symbol) -> Bool {
        if case .symbol(let other) = kind { other == symbol } else { false }
    }
}
