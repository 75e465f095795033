extension JSParser {
    /// Returns an expression; of several with commas between, the last one.
    mutating func expression() throws(JSSyntaxError) -> JSExpression {
        var result = try assignment()
        while skip(",") { result = try assignment() }
        return result
    }

    /// Returns an expression without a comma.
    mutating func assignment() throws(JSSyntaxError) -> JSExpression {
        try nested { parser throws(JSSyntaxError) in try parser.assignmentInside() }
    }

    private static let assignmentOperators: Set<String> = [
        "=", "+=", "-=", "*=", "/=", "%=", "**=", "&&=", "||=", "??=", "<<=", ">>=", ">>>=", "&=", "|=", "^=",
    ]

    private mutating func assignmentInside() throws(JSSyntaxError) -> JSExpression {
        let start = current.range.lowerBound
        if let function = try arrowFunction() {
            return JSExpression(kind: .function(function), range: start..<lastEnd)
        }
        let left = try conditional()
        guard case .punctuator(let name) = current.kind, Self.assignmentOperators.contains(name) else { return left }
        index += 1
        let right = try assignment()
        return JSExpression(kind: .assignment(name, left, right), range: start..<lastEnd)
    }

    private mutating func conditional() throws(JSSyntaxError) -> JSExpression {
        let condition = try binary(0)
        guard skip("?") else { return condition }
        let first = try assignment()
        try expect(":")
        let second = try assignment()
        return JSExpression(
            kind: .conditional(condition, first, second), range: condition.range.lowerBound..<second.range.upperBound)
    }

    // MARK: Operators

    private static let precedences: [String: Int] = [
        "??": 1, "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "===": 6, "!==": 6, "<": 7, ">": 7,
        "<=": 7,
        ">=": 7, "instanceof": 7, "in": 7, "<<": 8, ">>": 8, ">>>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
        "**": 11,
    ]

    private var binaryOperator: String? {
        switch current.kind {
        case .punctuator(let name): name
        case .name(let name) where name == "instanceof" || name == "in": name
        case .name, .number, .string, .template, .regularExpression, .end: nil
        }
    }

    private mutating func binary(_ minimum: Int) throws(JSSyntaxError) -> JSExpression {
        var left = try unary()
        var count = 0
        while let name = binaryOperator, let precedence = Self.precedences[name], precedence > minimum {
            count += 1
            guard count < Self.maximumChain else { throw failure }
            index += 1
            let right = try nested { parser throws(JSSyntaxError) in try parser.binary(precedence) }
            left = JSExpression(
                kind: .binary(name, left, right), range: left.range.lowerBound..<right.range.upperBound)
        }
        return left
    }

    private mutating func unary() throws(JSSyntaxError) -> JSExpression {
        let start = current.range.lowerBound
        switch current.kind {
        case .punctuator(let name) where ["!", "-", "+", "~"].contains(name):
            return try prefixed(name, start)
        case .name(let name) where ["typeof", "void", "delete", "await"].contains(name):
            return try prefixed(name, start)
        case .punctuator(let name) where name == "++" || name == "--":
            index += 1
            let operand = try nested { parser throws(JSSyntaxError) in try parser.unary() }
            return step(name, operand, start)
        default: break
        }
        let operand = try postfix()
        if case .punctuator(let name) = current.kind, name == "++" || name == "--", !current.isAfterNewline {
            index += 1
            return step(name, operand, start)
        }
        return operand
    }

    private mutating func prefixed(_ name: String, _ start: Int) throws(JSSyntaxError) -> JSExpression {
        index += 1
        let operand = try nested { parser throws(JSSyntaxError) in try parser.unary() }
        if name == "await" { return operand }
        return JSExpression(kind: .unary(name, operand), range: start..<operand.range.upperBound)
    }

    /// Returns `x = x + 1` for `x++`.
    private func step(_ name: String, _ operand: JSExpression, _ start: Int) -> JSExpression {
        let one = JSExpression(kind: .number("1"), range: operand.range)
        return JSExpression(kind: .assignment(name == "++" ? "+=" : "-=", operand, one), range: start..<lastEnd)
    }

    // MARK: Calls and members

    private mutating func postfix() throws(JSSyntaxError) -> JSExpression {
        let start = current.range.lowerBound
        var result = try primary()
        for _ in 0..<Self.maximumChain {
            let kind: JSExpression.Kind
            if skip(".") {
                kind = .member(result, try name())
            } else if skip("?.") {
                if skip("[") {
                    kind = .index(result, try expression())
                    try expect("]")
                } else if skip("(") {
                    kind = .call(result, try arguments())
                } else {
                    kind = .member(result, try name())
                }
            } else if skip("[") {
                kind = .index(result, try expression())
                try expect("]")
            } else if skip("(") {
                kind = .call(result, try arguments())
            } else {
                return result
            }
            result = JSExpression(kind: kind, range: start..<lastEnd)
        }
        throw failure
    }

    /// Returns arguments up to the closing parenthesis.
    private mutating func arguments() throws(JSSyntaxError) -> [JSExpression] {
        var result: [JSExpression] = []
        while !skip(")") {
            result.append(try element())
            if !isAt(")") { try expect(",") }
        }
        return result
    }

    /// Returns an argument or an element of an array, which may be spread.
    private mutating func element() throws(JSSyntaxError) -> JSExpression {
        let start = current.range.lowerBound
        guard skip("...") else { return try assignment() }
        let value = try assignment()
        return JSExpression(kind: .spread(value), range: start..<lastEnd)
    }

    private mutating func primary() throws(JSSyntaxError) -> JSExpression {
        let start = current.range.lowerBound
        let kind: JSExpression.Kind
        switch current.kind {
        case .number(let text): kind = .number(text)
        case .string(let text): kind = .string(text)
        case .regularExpression(let pattern, let flags): kind = .regularExpression(pattern, flags: flags)
        case .template(let texts, let ranges): kind = .template(texts, try substitutions(ranges))
        case .name("true"): kind = .bool(true)
        case .name("false"): kind = .bool(false)
        case .name("null"): kind = .null
        case .name("function"):
            index += 1
            if case .name = current.kind { index += 1 }
            let function = try functionRest()
            return JSExpression(kind: .function(function), range: start..<lastEnd)
        case .name("async") where peek() == .name("function"):
            index += 1
            return try nested { parser throws(JSSyntaxError) in try parser.primary() }
        case .name("new"):
            index += 1
            var callee = try nested { parser throws(JSSyntaxError) in try parser.primary() }
            while skip(".") { callee = JSExpression(kind: .member(callee, try name()), range: start..<lastEnd) }
            let arguments = skip("(") ? try arguments() : []
            return JSExpression(kind: .new(callee, arguments), range: start..<lastEnd)
        case .name(let name): kind = .name(name)
        case .punctuator("("):
            index += 1
            let value = try expression()
            try expect(")")
            return JSExpression(kind: value.kind, range: start..<lastEnd)
        case .punctuator("["):
            index += 1
            return JSExpression(kind: .array(try elements()), range: start..<lastEnd)
        case .punctuator("{"):
            index += 1
            return JSExpression(kind: .object(try properties()), range: start..<lastEnd)
        case .punctuator, .end: throw failure
        }
        index += 1
        return JSExpression(kind: kind, range: start..<lastEnd)
    }

    private mutating func elements() throws(JSSyntaxError) -> [JSExpression] {
        var result: [JSExpression] = []
        while !skip("]") {
            result.append(try element())
            if !isAt("]") { try expect(",") }
        }
        return result
    }

    private mutating func properties() throws(JSSyntaxError) -> [JSExpression.Property] {
        var result: [JSExpression.Property] = []
        while !skip("}") {
            if isAt("...") {
                result.append(JSExpression.Property(name: nil, value: try element()))
            } else if skip("[") {
                let key = try assignment()
                try expect("]")
                try expect(":")
                let value = try assignment()
                var name: String?
                if case .string(let text) = key.kind { name = text }
                result.append(JSExpression.Property(name: name, value: value))
            } else {
                let token = current
                let name = try propertyName()
                let value: JSExpression
                if skip(":") {
                    value = try assignment()
                } else if isAt("(") {
                    value = JSExpression(kind: .function(try functionRest()), range: token.range.lowerBound..<lastEnd)
                } else {
                    value = JSExpression(kind: .name(name), range: token.range)
                }
                result.append(JSExpression.Property(name: name, value: value))
            }
            if !isAt("}") { try expect(",") }
        }
        return result
    }

    private func substitutions(_ ranges: [Range<Int>]) throws(JSSyntaxError) -> [JSExpression] {
        var result: [JSExpression] = []
        for range in ranges {
            var parser = self
            parser.tokens = try JSLexer.tokens(of: text, in: range)
            parser.index = 0
            let value = try parser.nested { parser throws(JSSyntaxError) in try parser.expression() }
            guard parser.current.kind == .end else { throw parser.failure }
            result.append(value)
        }
        return result
    }

    // MARK: Arrow functions

    private mutating func arrowFunction() throws(JSSyntaxError) -> JSFunction? {
        let start = index
        if isAtName("async") {
            if case .name = peek(), peek(2) == .punctuator("=>") {
                index += 1
            } else if peek() == .punctuator("("), isArrow(at: index + 1) {
                index += 1
            }
        }
        if case .name(let name) = current.kind, peek() == .punctuator("=>") {
            index += 2
            return JSFunction(parameters: [.name(name)], body: try arrowBody())
        }
        guard isAt("("), isArrow(at: index) else {
            index = start
            return nil
        }
        index += 1
        let parameters = try parameters()
        try expect("=>")
        return JSFunction(parameters: parameters, body: try arrowBody())
    }

    /// Returns whether `=>` follows the parenthesis that closes the one at a position.
    private func isArrow(at position: Int) -> Bool {
        // Parameters are few, and the distance keeps nested parentheses from taking quadratic time.
        var depth = 0
        for index in position..<min(position + 64, tokens.count) {
            switch tokens[index].kind {
            case .punctuator("("), .punctuator("{"), .punctuator("["): depth += 1
            case .punctuator(")"), .punctuator("}"), .punctuator("]"):
                depth -= 1
                if depth == 0 { return index + 1 < tokens.count && tokens[index + 1].kind == .punctuator("=>") }
            default: break
            }
        }
        return false
    }
}
