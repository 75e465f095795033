import Basics

/// A recursive descent parser that converts tokens to a syntax tree (cel-spec, "Syntax").
struct Parser {
    private let tokens: [Token]
    private var position = 0
    private var nesting = 0
    /// Whether the next expected `)` closes an argument list.
    private var isInArguments = false

    /// Words that cannot be the name of a variable (cel-spec, "RESERVED").
    private static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
        "namespace", "return", "var", "void", "while", "in",
    ]

    init(_ tokens: [Token]) {
        self.tokens = tokens
    }

    /// Parses all tokens as one expression.
    static func parse(_ bytes: [UInt8]) throws(SourceFault) -> SyntaxNode {
        guard bytes.count <= CELLimits.sourceLength else {
            throw SourceFault("the expression exceeds the maximum of \(CELLimits.sourceLength) bytes", 0..<0)
        }
        var lexer = Lexer(bytes)
        let (tokens, fault) = lexer.tokens()
        var parser = Parser(tokens)
        do throws(SourceFault) {
            return try parser.whole(bytes.count, fault)
        } catch {
            // An error before a malformed token is reported first.
            if let fault, case .end = parser.current.kind { throw fault }
            throw error
        }
    }

    private mutating func whole(_ length: Int, _ fault: SourceFault?) throws(SourceFault) -> SyntaxNode {
        if let fault, tokens.count == 1 { throw fault }
        if case .end = current.kind { throw SourceFault("the expression is empty", 0..<length) }
        let root = try expression()
        guard case .end = current.kind else { throw unexpectedAfterExpression() }
        if let fault { throw fault }
        return root
    }

    private var current: Token {
        // The last token is `.end`, and the position never goes past it.
        tokens[min(position, tokens.count - 1)]
    }

    private var previousEnd: Int { position > 0 ? tokens[position - 1].span.upperBound : 0 }

    private mutating func advance() { position += 1 }

    private mutating func skip(_ symbol: Token.Symbol) -> Bool {
        guard current.isSymbol(symbol) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ symbol: Token.Symbol, closing opening: Token? = nil) throws(SourceFault) {
        guard !skip(symbol) else { return }
        if let opening, case .end = current.kind {
            throw SourceFault("\(opening.name) has no matching \"\(symbol.rawValue)\"", opening.span)
        }
        throw unexpected("\"\(symbol.rawValue)\"")
    }

    private func unexpected(_ wanted: String) -> SourceFault {
        let hint: MessageText = (spellingHint ?? closingHint(wanted)).map { "; " + $0 } ?? ""
        return SourceFault("expected \(MessageText(words: wanted)), found \(current.name)\(hint)", current.span)
    }

    /// Returns the error for a token that follows a complete expression.
    private func unexpectedAfterExpression() -> SourceFault {
        let wanted = "an operator or the end of the expression"
        switch current.kind {
        case .symbol(.rightParenthesis): return SourceFault("unmatched \")\"", current.span)
        case .symbol(.rightBracket): return SourceFault("unmatched \"]\"", current.span)
        case .symbol(.rightBrace): return SourceFault("unmatched \"}\"", current.span)
        case .double where position > 0:
            guard tokens[position - 1].span.upperBound == current.span.lowerBound else { break }
            return SourceFault("expected \(wanted), found a number; write an element as x[0]", current.span)
        default: break
        }
        return unexpected(wanted)
    }

    /// Returns a hint about the separator that is missing before a closing token; nil if there is none.
    private func closingHint(_ wanted: String) -> MessageText? {
        if case .end = current.kind { return nil }
        let startsValue =
            switch current.kind {
            case .identifier, .int, .uint, .double, .string, .bytes: true
            default: false
            }
        switch wanted {
        case "\")\"" where current.isSymbol(.comma): return "write a list as [1, 2]"
        case "\")\"" where startsValue && isInArguments: return "separate arguments with \",\""
        case "\"]\"" where startsValue: return "separate elements with \",\""
        case "\":\"" where current.isSymbol(.comma) || current.isSymbol(.rightBrace):
            return "write a map as {\"key\": value}"
        default: return nil
        }
    }

    /// The suggestion for an operator of another language.
    private var spellingHint: MessageText? {
        switch current.kind {
        case .identifier(let name):
            if name == "not", position + 1 < tokens.count, case .identifier("in") = tokens[position + 1].kind {
                return "instead of \"a not in b\", write !(a in b)"
            }
            if let hint = ForeignSpelling.ofOperator(name) { return hint }
        case .int, .uint, .double, .string, .bytes: break
        case .quotedIdentifier, .symbol, .end: return nil
        }
        guard position > 0, case .identifier(let word) = tokens[position - 1].kind else { return nil }
        if case .string(let argument) = current.kind, let hint = ForeignSpelling.ofQuery(word, argument) { return hint }
        return ForeignSpelling.ofPrefix(word)
    }

    private func node(_ kind: SyntaxNode.Kind, _ span: Range<Int>) throws(SourceFault) -> SyntaxNode {
        let node = SyntaxNode(kind, span)
        guard node.depth <= CELLimits.depth else { throw tooDeep(span) }
        return node
    }

    private func tooDeep(_ span: Range<Int>) -> SourceFault {
        SourceFault("the expression exceeds the maximum depth of \(CELLimits.depth) levels", span)
    }

    /// Parses `Expr = ConditionalOr ["?" ConditionalOr ":" Expr]`.
    private mutating func expression() throws(SourceFault) -> SyntaxNode {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= CELLimits.depth else { throw tooDeep(current.span) }
        let condition = try disjunction()
        let question = current
        guard skip(.question) else { return condition }
        let first: SyntaxNode
        do throws(SourceFault) {
            first = try disjunction()
            if case .end = current.kind {
                throw SourceFault(
                    "expected \":\", found the end of the expression; write a conditional as condition ? a : b",
                    current.span)
            }
            try expect(.colon)
        } catch {
            // `a?.b` and `a?[0]` parse as the start of a conditional.
            throw optionalAccess(after: question) ?? error
        }
        let second = try expression()
        return try node(
            .conditional(condition, first, second), condition.span.lowerBound..<second.span.upperBound)
    }

    /// Returns the error for `?.` or `?[` if an unfinished conditional starts with it.
    private func optionalAccess(after question: Token) -> SourceFault? {
        guard let next = tokens.first(where: { $0.span.lowerBound >= question.span.upperBound }),
            next.span.lowerBound == question.span.upperBound,
            let message = next.isSymbol(.dot)
                ? ForeignSpelling.ofSigns("?.") : next.isSymbol(.leftBracket) ? ForeignSpelling.ofSigns("?[") : nil
        else { return nil }
        return SourceFault(message, question.span.lowerBound..<next.span.upperBound)
    }

    private mutating func disjunction() throws(SourceFault) -> SyntaxNode {
        let first = try conjunction()
        guard current.isSymbol(.or) else { return first }
        var operands = [first]
        while skip(.or) { operands.append(try conjunction()) }
        return try node(.or(operands), first.span.lowerBound..<previousEnd)
    }

    private mutating func conjunction() throws(SourceFault) -> SyntaxNode {
        let first = try binary(1)
        guard current.isSymbol(.and) else { return first }
        var operands = [first]
        while skip(.and) { operands.append(try binary(1)) }
        return try node(.and(operands), first.span.lowerBound..<previousEnd)
    }

    /// Parses relations, sums, and products by precedence.
    private mutating func binary(_ minimum: Int) throws(SourceFault) -> SyntaxNode {
        var left = try unary()
        while let operation = binaryOperator, operation.precedence >= minimum {
            advance()
            let right = try binary(operation.precedence + 1)
            left = try node(.binary(operation, left, right), left.span.lowerBound..<right.span.upperBound)
        }
        return left
    }

    private var binaryOperator: BinaryOperator? {
        switch current.kind {
        case .symbol(let symbol): BinaryOperator(rawValue: symbol.rawValue)
        case .identifier("in"): .in
        default: nil
        }
    }

    private mutating func unary() throws(SourceFault) -> SyntaxNode {
        let start = current.span.lowerBound
        let isNot = current.isSymbol(.not)
        guard isNot || current.isSymbol(.minus) else { return try member() }
        var count = 0
        while skip(isNot ? .not : .minus) { count += 1 }
        if !isNot, case .int(let magnitude) = current.kind, magnitude == UInt64(Int64.min.magnitude) {
            // The minimum int has no positive counterpart, so its sign is part of the literal.
            advance()
            count -= 1
            let literal = SyntaxNode(.literal(.int(.min)), tokens[position - 2].span.lowerBound..<previousEnd)
            return try prefixed(try suffixes(of: literal), isNot: false, count: count, start: start)
        }
        return try prefixed(try member(), isNot: isNot, count: count, start: start)
    }

    private func prefixed(
        _ operand: SyntaxNode, isNot: Bool, count: Int, start: Int
    ) throws(SourceFault) -> SyntaxNode {
        // Pairs cancel each other out except for the operand's type check, so one or two operators are enough.
        var result = operand
        for _ in 0..<(count > 2 ? 2 - count % 2 : count) {
            result = try node(isNot ? .not(result) : .negate(result), start..<operand.span.upperBound)
        }
        return result
    }

    private mutating func member() throws(SourceFault) -> SyntaxNode {
        try suffixes(of: try primary())
    }

    /// Parses the selections, indexes, and method calls after an operand.
    private mutating func suffixes(of operand: SyntaxNode) throws(SourceFault) -> SyntaxNode {
        var operand = operand
        let start = operand.span.lowerBound
        while true {
            let opening = current
            if skip(.dot) {
                let isOptional = skip(.question)
                let nameSpan = current.span
                let (name, isQuoted) = try fieldName()
                if !isOptional, !isQuoted, current.isSymbol(.leftParenthesis) {
                    let arguments = try self.arguments()
                    let call = SyntaxNode.Call(
                        target: operand, name: name, nameSpan: nameSpan, arguments: arguments)
                    operand = try node(.call(call), start..<previousEnd)
                } else {
                    operand = try node(
                        .select(operand, field: name, isOptional: isOptional), start..<previousEnd)
                }
            } else if skip(.leftBracket) {
                let isOptional = skip(.question)
                let index = try expression()
                try expect(.rightBracket, closing: opening)
                operand = try node(.index(operand, index, isOptional: isOptional), start..<previousEnd)
            } else if opening.isSymbol(.leftBrace), Self.isTypeName(operand) {
                throw SourceFault(
                    "message construction is not supported; write a map as {\"key\": value}",
                    start..<opening.span.upperBound)
            } else {
                return operand
            }
        }
    }

    private static func isTypeName(_ node: SyntaxNode) -> Bool {
        switch node.kind {
        case .identifier: true
        case .select(let operand, _, isOptional: false): isTypeName(operand)
        default: false
        }
    }

    private mutating func fieldName() throws(SourceFault) -> (name: String, isQuoted: Bool) {
        switch current.kind {
        case .identifier(let name):
            advance()
            return (name, false)
        case .quotedIdentifier(let name):
            advance()
            return (name, true)
        default: throw unexpected("a field name")
        }
    }

    private mutating func arguments() throws(SourceFault) -> [SyntaxNode] {
        let opening = current
        try expect(.leftParenthesis)
        var arguments: [SyntaxNode] = []
        guard !skip(.rightParenthesis) else { return arguments }
        repeat { arguments.append(try expression()) } while skip(.comma)
        isInArguments = true
        try expect(.rightParenthesis, closing: opening)
        isInArguments = false
        return arguments
    }

    private mutating func primary() throws(SourceFault) -> SyntaxNode {
        let token = current
        switch token.kind {
        case .int(let magnitude):
            guard let value = Int64(exactly: magnitude) else {
                throw SourceFault("the number is out of range for int (64 bits)", token.span)
            }
            return literal(.int(value))
        case .uint(let value): return literal(.uint(value))
        case .double(let value): return literal(.double(value))
        case .string(let text): return literal(.string(text))
        case .bytes(let bytes): return literal(.bytes(bytes))
        case .identifier(let name): return try identifier(name, start: token.span.lowerBound, isRooted: false)
        case .symbol(.dot):
            advance()
            guard case .identifier(let name) = current.kind else { throw unexpected("a name") }
            return try identifier(name, start: token.span.lowerBound, isRooted: true)
        case .symbol(.leftParenthesis):
            advance()
            let inner = try expression()
            try expect(.rightParenthesis, closing: token)
            return SyntaxNode(inner.kind, token.span.lowerBound..<previousEnd)
        case .symbol(.leftBracket): return try list()
        case .symbol(.leftBrace): return try map()
        case .quotedIdentifier(let name):
            throw SourceFault("expected a value, found `\(name)`; enclose a string in \" or '", token.span)
        default: throw unexpected("a value")
        }
    }

    private mutating func literal(_ value: CELValue) -> SyntaxNode {
        defer { advance() }
        return SyntaxNode(.literal(value), current.span)
    }

    private mutating func identifier(
        _ name: String, start: Int, isRooted: Bool
    ) throws(SourceFault) -> SyntaxNode {
        switch name {
        case "true": return literal(.bool(true))
        case "false": return literal(.bool(false))
        case "null": return literal(.null)
        default: break
        }
        guard !Self.reserved.contains(name) else {
            let hint = ForeignSpelling.ofReservedWord(name).map { "; " + $0 } ?? ""
            throw SourceFault("the reserved word \"\(name)\" cannot be a variable name\(hint)", current.span)
        }
        let nameSpan = current.span
        advance()
        guard current.isSymbol(.leftParenthesis) else {
            return SyntaxNode(.identifier(name, isRooted: isRooted), start..<previousEnd)
        }
        let arguments = try self.arguments()
        let call = SyntaxNode.Call(
            target: nil, name: name, nameSpan: nameSpan, arguments: arguments, isRooted: isRooted)
        return try node(.call(call), start..<previousEnd)
    }

    private mutating func list() throws(SourceFault) -> SyntaxNode {
        let opening = current
        advance()
        var elements: [SyntaxNode.Element] = []
        while !current.isSymbol(.rightBracket) {
            let isOptional = skip(.question)
            elements.append(SyntaxNode.Element(value: try expression(), isOptional: isOptional))
            guard skip(.comma) else { break }
        }
        try expect(.rightBracket, closing: opening)
        return try node(.list(elements), opening.span.lowerBound..<previousEnd)
    }

    private mutating func map() throws(SourceFault) -> SyntaxNode {
        let opening = current
        advance()
        var entries: [SyntaxNode.Entry] = []
        while !current.isSymbol(.rightBrace) {
            let isOptional = skip(.question)
            let key = try expression()
            try expect(.colon)
            entries.append(SyntaxNode.Entry(key: key, value: try expression(), isOptional: isOptional))
            guard skip(.comma) else { break }
        }
        try expect(.rightBrace, closing: opening)
        return try node(.map(entries), opening.span.lowerBound..<previousEnd)
    }
}
