import Basics

/// Parses the subset of JavaScript that scripts of API tests consist of.
///
/// A statement outside of the subset is skipped and kept with its range, so that the rest can be translated.
struct JSParser {
    let text: [UInt8]
    var tokens: [JSToken]
    var index = 0
    private var depth = 0

    /// The maximum nesting depth of statements and expressions.
    private static let maximumDepth = 64
    /// The maximum number of operators in a row, such as those of `a + b + c`.
    static let maximumChain = 256

    /// Returns the statements of a script.
    static func statements(of text: [UInt8]) -> [JSStatement] {
        let tokens: [JSToken]
        do throws(JSSyntaxError) {
            tokens = try JSLexer.tokens(of: text, in: 0..<text.count)
        } catch {
            return [JSStatement(kind: .unsupported("script"), range: 0..<text.count)]
        }
        var parser = JSParser(text: text, tokens: tokens)
        var statements: [JSStatement] = []
        while parser.current.kind != .end {
            let start = parser.index
            statements.append(parser.recoveringStatement())
            // A closing brace without an opening one.
            if parser.index == start { parser.index += 1 }
        }
        return statements
    }

    init(text: [UInt8], tokens: [JSToken]) {
        self.text = text
        self.tokens = tokens
    }

    // MARK: Tokens

    var current: JSToken { tokens[min(index, tokens.count - 1)] }

    func peek(_ distance: Int = 1) -> JSToken.Kind { tokens[min(index + distance, tokens.count - 1)].kind }

    func isAt(_ punctuator: String) -> Bool { current.kind == .punctuator(punctuator) }

    func isAtName(_ name: String) -> Bool { current.kind == .name(name) }

    /// Skips a punctuator if it follows.
    mutating func skip(_ punctuator: String) -> Bool {
        guard isAt(punctuator) else { return false }
        index += 1
        return true
    }

    mutating func expect(_ punctuator: String) throws(JSSyntaxError) {
        guard skip(punctuator) else { throw failure }
    }

    mutating func name() throws(JSSyntaxError) -> String {
        guard case .name(let name) = current.kind else { throw failure }
        index += 1
        return name
    }

    var failure: JSSyntaxError { JSSyntaxError(offset: current.range.lowerBound) }

    /// The end of the last token.
    var lastEnd: Int { index == 0 ? 0 : tokens[min(index, tokens.count) - 1].range.upperBound }

    /// Calls a closure one level deeper.
    mutating func nested<Result>(
        _ body: (inout JSParser) throws(JSSyntaxError) -> Result
    ) throws(JSSyntaxError) -> Result {
        guard depth < Self.maximumDepth else { throw failure }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    // MARK: Statements

    /// Returns the next statement; an unsupported one if it cannot be parsed.
    private mutating func recoveringStatement() -> JSStatement {
        let start = index
        let depth = depth
        do throws(JSSyntaxError) {
            return try statement()
        } catch {
            self.depth = depth
            index = start
            skipStatement()
            return JSStatement(
                kind: .unsupported(Self.construct(tokens[start].kind)),
                range: tokens[start].range.lowerBound..<max(lastEnd, tokens[start].range.upperBound))
        }
    }

    /// Returns the name of an unsupported construct.
    private static func construct(_ kind: JSToken.Kind) -> String {
        switch kind {
        case .name(let name)
        where ["while", "do", "for", "switch", "class", "async", "import", "export"].contains(name):
            name
        default: "script"
        }
    }

    /// Moves after a statement that cannot be parsed: to the next line or semicolon outside of brackets.
    private mutating func skipStatement() {
        var brackets = 0
        let start = index
        while current.kind != .end {
            if index > start, brackets == 0, current.isAfterNewline, !isAt("{"), !isAt(".") { return }
            if isAt("(") || isAt("[") || isAt("{") { brackets += 1 }
            if isAt(")") || isAt("]") || isAt("}") {
                if brackets == 0 { return }
                brackets -= 1
            }
            let isEnd = brackets == 0 && isAt(";")
            index += 1
            if isEnd { return }
        }
    }

    private mutating func block() throws(JSSyntaxError) -> [JSStatement] {
        try expect("{")
        return try nested { parser throws(JSSyntaxError) in
            var statements: [JSStatement] = []
            while !parser.isAt("}") {
                guard parser.current.kind != .end else { throw parser.failure }
                let start = parser.index
                statements.append(parser.recoveringStatement())
                guard parser.index > start else { throw parser.failure }
            }
            parser.index += 1
            return statements
        }
    }

    /// Returns the statements of a block, or a single statement.
    private mutating func body() throws(JSSyntaxError) -> [JSStatement] {
        if isAt("{") { return try block() }
        return [try nested { parser throws(JSSyntaxError) in try parser.statement() }]
    }

    private mutating func statement() throws(JSSyntaxError) -> JSStatement {
        let start = current.range.lowerBound
        let kind = try statementKind()
        return JSStatement(kind: kind, range: start..<max(start, lastEnd))
    }

    private mutating func statementKind() throws(JSSyntaxError) -> JSStatement.Kind {
        switch current.kind {
        case .punctuator("{"): return .block(try block())
        case .punctuator(";"):
            index += 1
            return .empty
        case .name("var"), .name("let"), .name("const"):
            if case .punctuator = peek(), peek() != .punctuator("{"), peek() != .punctuator("[") { break }
            index += 1
            let declarations = try declarations()
            try endStatement()
            return .declaration(declarations)
        case .name("if"): return try conditional()
        case .name("for"): return try iteration()
        case .name("try"): return try attempt()
        case .name("return"):
            index += 1
            if isAt(";") || isAt("}") || current.kind == .end || current.isAfterNewline {
                _ = skip(";")
                return .returned(nil)
            }
            let value = try expression()
            try endStatement()
            return .returned(value)
        case .name("throw"):
            index += 1
            _ = try expression()
            try endStatement()
            return .thrown
        case .name("function"):
            guard case .name(let name) = peek() else { break }
            index += 2
            return .function(name, try functionRest())
        case .name("async"):
            guard peek() == .name("function"), case .name(let name) = peek(2) else { break }
            index += 3
            return .function(name, try functionRest())
        case .name("switch"): return try selection()
        case .name("while"), .name("do"), .name("class"), .name("import"),
            .name("export"), .name("with"):
            throw failure
        case .name("break"), .name("continue"):
            let kind: JSStatement.Kind = isAtName("break") ? .stopped : .continued
            index += 1
            try endStatement()
            return kind
        default: break
        }
        let expression = try expression()
        try endStatement()
        return .expression(expression)
    }

    /// Skips the semicolon after a statement, which the end of the line may replace.
    private mutating func endStatement() throws(JSSyntaxError) {
        if skip(";") || isAt("}") || current.kind == .end || current.isAfterNewline { return }
        throw failure
    }

    private mutating func declarations() throws(JSSyntaxError) -> [(target: JSPattern, value: JSExpression?)] {
        var result: [(target: JSPattern, value: JSExpression?)] = []
        repeat {
            let target = try pattern()
            result.append((target, skip("=") ? try assignment() : nil))
        } while skip(",")
        return result
    }

    private mutating func conditional() throws(JSSyntaxError) -> JSStatement.Kind {
        index += 1
        try expect("(")
        let condition = try expression()
        try expect(")")
        let then = try body()
        var otherwise: [JSStatement] = []
        if isAtName("else") {
            index += 1
            otherwise = try body()
        }
        return .conditional(condition, then: then, otherwise: otherwise)
    }

    private mutating func iteration() throws(JSSyntaxError) -> JSStatement.Kind {
        index += 1
        try expect("(")
        if isAtName("var") || isAtName("let") || isAtName("const") { index += 1 }
        if case .name(let name) = current.kind, peek() == .punctuator("=") { return try counting(name) }
        let target = try pattern()
        let isOverKeys = isAtName("in")
        guard isOverKeys || isAtName("of") else { throw failure }
        index += 1
        let list = try expression()
        try expect(")")
        return .iteration(target, isOverKeys: isOverKeys, list, try body())
    }

    /// Returns a loop that counts from 0.
    private mutating func counting(_ name: String) throws(JSSyntaxError) -> JSStatement.Kind {
        index += 2
        guard current.kind == .number("0") else { throw failure }
        index += 1
        try expect(";")
        let condition = try expression()
        try expect(";")
        let step = try expression()
        try expect(")")
        guard case .binary("<", let left, let end) = condition.kind, case .name(name) = left.kind,
            case .assignment("+=", let target, let amount) = step.kind, case .name(name) = target.kind,
            case .number("1") = amount.kind
        else { throw failure }
        return .counting(name, end, try body())
    }

    /// Returns the conditions that say the same as `switch`.
    private mutating func selection() throws(JSSyntaxError) -> JSStatement.Kind {
        index += 1
        try expect("(")
        let value = try expression()
        try expect(")")
        try expect("{")
        let branches = try nested { parser throws(JSSyntaxError) in try parser.branches() }
        guard branches.count <= Self.maximumDepth else { throw failure }
        var result = branches.first { $0.isDefault }?.statements ?? []
        for branch in branches.reversed() where !branch.isDefault {
            let tests = branch.tests.map { test in
                JSExpression(kind: .binary("===", value, test), range: test.range)
            }
            guard let first = tests.first else { throw failure }
            let condition = tests.dropFirst().reduce(first) { left, right in
                JSExpression(kind: .binary("||", left, right), range: first.range)
            }
            result = [
                JSStatement(
                    kind: .conditional(condition, then: branch.statements, otherwise: result), range: branch.range)
            ]
        }
        return .block(result)
    }

    /// The statements of `switch` for some values.
    private struct Branch {
        var tests: [JSExpression] = []
        var isDefault = false
        var statements: [JSStatement] = []
        var range: Range<Int>
    }

    private mutating func branches() throws(JSSyntaxError) -> [Branch] {
        var result: [Branch] = []
        while !skip("}") {
            var branch = Branch(range: current.range)
            while isAtName("case") || isAtName("default") {
                index += 1
                if tokens[index - 1].kind == .name("default") {
                    branch.isDefault = true
                } else {
                    branch.tests.append(try expression())
                }
                try expect(":")
            }
            while !isAtName("case"), !isAtName("default"), !isAt("}") {
                guard current.kind != .end else { throw failure }
                let start = index
                branch.statements.append(recoveringStatement())
                guard index > start else { throw failure }
            }
            branch.range = branch.range.lowerBound..<lastEnd
            // Without an end of its own, a branch goes on with the next one.
            let hasEnd = JSStatement.removeEnd(of: &branch.statements)
            guard hasEnd || isAt("}"), !branch.statements.contains(where: \.hasBreak) else { throw failure }
            result.append(branch)
        }
        return result
    }

    private mutating func attempt() throws(JSSyntaxError) -> JSStatement.Kind {
        index += 1
        let statements = try block()
        var handler: [JSStatement]?
        var end: [JSStatement] = []
        if isAtName("catch") {
            index += 1
            if skip("(") {
                _ = try pattern()
                try expect(")")
            }
            handler = try block()
        }
        if isAtName("finally") {
            index += 1
            end = try block()
        }
        return .attempt(statements, handler: handler, end: end)
    }

    // MARK: Functions and patterns

    /// Returns the parameters and the body of a function.
    mutating func functionRest() throws(JSSyntaxError) -> JSFunction {
        try expect("(")
        let parameters = try parameters()
        return JSFunction(parameters: parameters, body: try block())
    }

    /// Returns parameters up to the closing parenthesis.
    mutating func parameters() throws(JSSyntaxError) -> [JSPattern] {
        var parameters: [JSPattern] = []
        while !skip(")") {
            _ = skip("...")
            var target = try pattern()
            if skip("=") { target = .defaulted(target, try assignment()) }
            parameters.append(target)
            if !isAt(")") { try expect(",") }
        }
        return parameters
    }

    /// Returns the body of an arrow function.
    mutating func arrowBody() throws(JSSyntaxError) -> [JSStatement] {
        if isAt("{") { return try block() }
        let value = try assignment()
        return [JSStatement(kind: .returned(value), range: value.range)]
    }

    mutating func pattern() throws(JSSyntaxError) -> JSPattern {
        try nested { parser throws(JSSyntaxError) in try parser.patternInside() }
    }

    private mutating func patternInside() throws(JSSyntaxError) -> JSPattern {
        if skip("[") {
            var elements: [JSPattern?] = []
            while !skip("]") {
                if skip(",") {
                    elements.append(nil)
                    continue
                }
                elements.append(try defaulted(try pattern()))
                if !isAt("]") { try expect(",") }
            }
            return .array(elements)
        }
        guard skip("{") else { return .name(try name()) }
        var members: [(name: String, target: JSPattern)] = []
        while !skip("}") {
            let name = try propertyName()
            let target = skip(":") ? try pattern() : .name(name)
            members.append((name, try defaulted(target)))
            if !isAt("}") { try expect(",") }
        }
        return .object(members)
    }

    private mutating func defaulted(_ target: JSPattern) throws(JSSyntaxError) -> JSPattern {
        skip("=") ? .defaulted(target, try assignment()) : target
    }

    /// Returns the name of a member of an object.
    mutating func propertyName() throws(JSSyntaxError) -> String {
        defer { index += 1 }
        switch current.kind {
        case .name(let name), .string(let name), .number(let name): return name
        case .template, .regularExpression, .punctuator, .end: throw failure
        }
    }
}
