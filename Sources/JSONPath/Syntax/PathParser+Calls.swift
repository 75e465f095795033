import JSON

extension PathParser {
    /// An argument with the place it was written at.
    private struct Argument {
        var operand: Operand
        var range: Range<Int>
    }

    /// Reads the arguments of a call whose `(` is at the position, and checks their number and types (RFC 9535 §2.4.3).
    mutating func parseCall(_ name: String, _ start: Int) throws(JSONPathError) -> Operand {
        guard let function = PathFunction(rawValue: name) else {
            throw failure(PathParser.unknownFunction(name), from: start, to: position)
        }
        let arguments = try nested { parser throws(JSONPathError) in try parser.parseArguments() }
        guard arguments.count == function.argumentCount, let first = arguments.first, let last = arguments.last else {
            let count = function.argumentCount
            throw failure(
                "\(name)() takes \(count) \(count == 1 ? "argument" : "arguments"), not \(arguments.count)",
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
                    warn("the pattern is no I-Regexp (RFC 9485), so that nothing matches it", last.range)
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

    /// function-argument; no function of the standard takes a condition.
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
        failure("a condition cannot be an argument; the function takes a value or a path", from: start)
    }

    /// The argument as ValueType.
    private func value(_ argument: Argument, _ function: PathFunction) throws(JSONPathError) -> FilterValue {
        switch argument.operand {
        case .value(let value): return value
        case .query(let query) where query.isSingular: return .query(query)
        case .query:
            throw failure(
                "\(function.rawValue)() takes one value here; this path may select several"
                    + (function == .length ? ", which count() counts" : ""),
                from: argument.range.lowerBound, to: argument.range.upperBound)
        case .test:
            throw failure(
                "\(function.rawValue)() takes a value here, no condition",
                from: argument.range.lowerBound, to: argument.range.upperBound)
        }
    }

    /// The argument as NodesType.
    private func nodes(_ argument: Argument, _ function: PathFunction) throws(JSONPathError) -> PathQuery {
        guard case .query(let query) = argument.operand else {
            throw failure(
                "\(function.rawValue)() takes a path starting with \"@\" or \"$\"",
                from: argument.range.lowerBound, to: argument.range.upperBound)
        }
        return query
    }
}
