import Basics
import JSON

extension PathParser {
    /// An expression that may be compared, tested or passed as an argument; its use is validated later.
    enum Operand {
        case value(FilterValue)
        case query(PathQuery)
        case test(PatternTest)
    }

    /// Parses logical-or-expr = logical-and-expr *(S "||" S logical-and-expr).
    mutating func parseLogical() throws(JSONPathError) -> FilterExpression {
        var parts = [try parseConjunction()]
        while skipOperator("|") {
            skipBlanks()
            parts.append(try parseConjunction())
        }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    /// Parses logical-and-expr = basic-expr *(S "&&" S basic-expr).
    private mutating func parseConjunction() throws(JSONPathError) -> FilterExpression {
        var parts = [try parseBasic()]
        while skipOperator("&") {
            skipBlanks()
            parts.append(try parseBasic())
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// Skips whitespace and a doubled `character`; otherwise the position stays.
    private mutating func skipOperator(_ character: Unicode.Scalar) -> Bool {
        let start = position
        skipBlanks()
        if next == character, peek(1) == character {
            position += 2
            return true
        }
        position = start
        return false
    }

    /// Parses basic-expr = paren-expr / comparison-expr / test-expr.
    private mutating func parseBasic() throws(JSONPathError) -> FilterExpression {
        if next == "!" {
            position += 1
            skipBlanks()
            if next == "(" { return .not(try parseParentheses()) }
            let start = position
            let operand = try parseOperand()
            let end = position
            if let (_, range) = peekComparison() {
                throw failure(
                    "\"!\" cannot precede a comparison; write !(…)",
                    from: range.lowerBound, to: range.upperBound)
            }
            return .not(try tested(operand, start, end))
        }
        if next == "(" {
            let expression = try parseParentheses()
            if let (_, range) = peekComparison() {
                throw failure(
                    "an expression in parentheses cannot be compared", from: range.lowerBound, to: range.upperBound)
            }
            return expression
        }
        let start = position
        let operand = try parseOperand()
        let end = position
        guard let (comparison, range) = peekComparison() else { return try tested(operand, start, end) }
        let left = try compared(operand, start, end)
        position = range.upperBound
        skipBlanks()
        let rightStart = position
        let right = try compared(try parseOperand(), rightStart, position)
        if let (_, range) = peekComparison() {
            throw failure("comparisons cannot be chained", from: range.lowerBound, to: range.upperBound)
        }
        return .comparison(left, comparison, right)
    }

    private mutating func parseParentheses() throws(JSONPathError) -> FilterExpression {
        try nested { parser throws(JSONPathError) in
            let opening = parser.position
            parser.position += 1
            parser.skipBlanks()
            let expression = try parser.parseLogical()
            parser.skipBlanks()
            guard parser.next == ")" else {
                throw parser.next == nil || parser.next == "]"
                    ? parser.failure("\"(\" has no matching \")\"", from: opening)
                    : parser.unexpectedInFilter("\"&&\", \"||\" or \")\"")
            }
            parser.position += 1
            return expression
        }
    }

    /// Returns the comparison operator after whitespace and its range, without advancing.
    func peekComparison() -> (ComparisonOperator, Range<Int>)? {
        var start = position
        while start < scalars.count, PathParser.isBlank(scalars[start]) { start += 1 }
        for comparison in ComparisonOperator.allCases {
            let symbol = comparison.rawValue.unicodeScalars
            if scalars[start...].starts(with: symbol) { return (comparison, start..<start + symbol.count) }
        }
        return nil
    }

    /// Returns an operand as a test; a value must be compared with something.
    private func tested(_ operand: Operand, _ start: Int, _ end: Int) throws(JSONPathError) -> FilterExpression {
        switch operand {
        case .query(let query): return .exists(query)
        case .test(let test): return .matches(test)
        case .value(.literal):
            throw failure("a literal is not a condition; write a comparison", from: start, to: end)
        case .value:
            throw failure(
                "the result of the function is a value, not a condition; write a comparison", from: start, to: end)
        }
    }

    /// Returns an operand as a side of a comparison, which must be at most one value.
    private func compared(_ operand: Operand, _ start: Int, _ end: Int) throws(JSONPathError) -> FilterValue {
        switch operand {
        case .value(let value): return value
        case .query(let query):
            guard query.isSingular else {
                throw failure(
                    "a path that can select several values cannot be compared; use only names and single indexes",
                    from: start, to: end)
            }
            return .query(query)
        case .test:
            throw failure("the result of the function is true or false and cannot be compared", from: start, to: end)
        }
    }

    /// Parses a literal, a query or a function call.
    mutating func parseOperand() throws(JSONPathError) -> Operand {
        switch next {
        case "@", "$":
            return .query(try parseQuery(inFilter: true))
        case "'", "\"":
            return .value(.literal(.string(try parseString())))
        case .some(let scalar) where PathParser.isDigit(scalar) || scalar == "-":
            return .value(.literal(.number(try parseNumber())))
        case .some(let scalar) where PathParser.isLowerCase(scalar):
            return try parseWord()
        default:
            throw unexpectedOperand()
        }
    }

    /// Parses number = (int / "-0") [frac] [exp], as in JSON.
    private mutating func parseNumber() throws(JSONPathError) -> JSONNumber {
        let start = position
        if next == "-" { position += 1 }
        skipDigits()
        if next == "." {
            position += 1
            skipDigits()
        }
        if next == "e" || next == "E" {
            position += 1
            if next == "+" || next == "-" { position += 1 }
            skipDigits()
        }
        guard let number = JSONNumber(literal: text(start, position)) else {
            throw failure("not a JSON number", from: start, to: position)
        }
        return number
    }

    private mutating func skipDigits() {
        while let scalar = next, PathParser.isDigit(scalar) { position += 1 }
    }

    /// Parses `true`, `false`, `null` or a function call.
    private mutating func parseWord() throws(JSONPathError) -> Operand {
        let start = position
        while let scalar = next, PathParser.isLowerCase(scalar) || PathParser.isDigit(scalar) || scalar == "_" {
            position += 1
        }
        let word = text(start, position)
        if next == "(" { return try parseCall(word, start) }
        switch word {
        case "true": return .value(.literal(.bool(true)))
        case "false": return .value(.literal(.bool(false)))
        case "null": return .value(.literal(.null))
        default:
            let end = endOfWord()
            throw failure(PathParser.wordProblem(text(start, end)), from: start, to: end)
        }
    }
}

extension PathParser {
    /// An argument with its range.
    private struct Argument {
        var operand: Operand
        var range: Range<Int>
    }

    /// Parses the arguments of a function call and validates their number and types (RFC 9535, section 2.4.3).
    ///
    /// The `(` must be at the position.
    mutating func parseCall(_ name: String, _ start: Int) throws(JSONPathError) -> Operand {
        guard let function = PathFunction(rawValue: name) else {
            throw failure(PathParser.unknownFunction(name), from: start, to: position)
        }
        let arguments = try nested { parser throws(JSONPathError) in try parser.parseArguments() }
        guard arguments.count == function.argumentCount, let first = arguments.first, let last = arguments.last else {
            let count = function.argumentCount
            throw failure(
                "\(name)() takes \(count) \(count == 1 ? "argument" : "arguments"), got \(arguments.count)",
                from: start, to: position)
        }
        switch function {
        case .length: return .value(.length(try value(first, function)))
        case .count: return .value(.count(try nodes(first, function)))
        case .value: return .value(.value(try nodes(first, function)))
        case .match, .search:
            let text = try value(first, function)
            let pattern: PatternTest.Pattern
            switch try value(last, function) {
            case .literal(.string(let source)):
                let compiled = PathPattern(source)
                if compiled == nil {
                    warn("the pattern is not a valid I-Regexp (RFC 9485): it never matches", last.range)
                }
                pattern = .compiled(compiled)
            case let operand: pattern = .computed(operand)
            }
            return .test(PatternTest(text: text, pattern: pattern, isWhole: function == .match))
        }
    }

    private mutating func parseArguments() throws(JSONPathError) -> [Argument] {
        var arguments: [Argument] = []
        position += 1
        skipBlanks()
        if next == ")" {
            position += 1
            return []
        }
        while true {
            arguments.append(try parseArgument())
            skipBlanks()
            if next == "," {
                position += 1
                skipBlanks()
            } else if next == ")" {
                position += 1
                return arguments
            } else {
                throw unexpected("\",\" or \")\" after the argument")
            }
        }
    }

    /// Parses function-argument; no standard function takes a condition.
    private mutating func parseArgument() throws(JSONPathError) -> Argument {
        let start = position
        if next == "!" || next == "(" { throw conditionAsArgument(start) }
        let operand = try parseOperand()
        let end = position
        skipBlanks()
        if peekComparison() != nil || next == "&" || next == "|" { throw conditionAsArgument(start) }
        return Argument(operand: operand, range: start..<end)
    }

    private func conditionAsArgument(_ start: Int) -> JSONPathError {
        failure("a condition cannot be an argument; pass a value or a path", from: start)
    }

    /// Returns an argument as a ValueType.
    private func value(_ argument: Argument, _ function: PathFunction) throws(JSONPathError) -> FilterValue {
        switch argument.operand {
        case .value(let value): return value
        case .query(let query) where query.isSingular: return .query(query)
        case .query:
            throw failure(
                "\(function.rawValue)() requires a single value, but this path can select several"
                    + (function == .length ? "; to count them, write count()" : ""),
                from: argument.range.lowerBound, to: argument.range.upperBound)
        case .test:
            throw failure(
                "\(function.rawValue)() requires a value, not a condition",
                from: argument.range.lowerBound, to: argument.range.upperBound)
        }
    }

    /// Returns an argument as a NodesType.
    private func nodes(_ argument: Argument, _ function: PathFunction) throws(JSONPathError) -> PathQuery {
        guard case .query(let query) = argument.operand else {
            throw failure(
                "\(function.rawValue)() requires a path that starts with \"@\" or \"$\"",
                from: argument.range.lowerBound, to: argument.range.upperBound)
        }
        return query
    }
}
