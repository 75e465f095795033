import JSON

extension PathParser {
    /// bracketed-selection = "[" S selector *(S "," S selector) S "]"
    mutating func parseBrackets() throws(JSONPathError) -> [PathSelector] {
        position += 1
        var selectors: [PathSelector] = []
        while true {
            skipBlanks()
            if next == "]", !selectors.isEmpty {
                throw failure("there is no selector after the last \",\"", from: position)
            }
            selectors.append(try parseSelector())
            skipBlanks()
            if next == "," {
                position += 1
            } else if next == "]" {
                position += 1
                return selectors
            } else {
                throw unexpectedAfterSelector(selectors.last)
            }
        }
    }

    private mutating func parseSelector() throws(JSONPathError) -> PathSelector {
        switch next {
        case "'", "\"":
            return .name(try parseString())
        case "*":
            position += 1
            return .wildcard
        case "?":
            position += 1
            skipBlanks()
            return .filter(try nested { parser throws(JSONPathError) in try parser.parseLogical() })
        case .some(let scalar) where PathParser.isDigit(scalar) || scalar == "-" || scalar == ":":
            return try parseIndexOrSlice()
        case .some(let scalar) where PathParser.isNameFirst(scalar):
            throw unquotedName()
        case "(":
            throw unmarkedFilter()
        case "@", "!":
            throw failure("a filter starts with \"?\": [?@.price < 10]", from: position)
        default:
            throw unexpected("a name in quotation marks, an index, a slice, \"*\" or a filter \"?\"")
        }
    }

    private func unexpectedAfterSelector(_ selector: PathSelector?) -> JSONPathError {
        let expected = "\",\" or \"]\" after the selector"
        switch (selector, next) {
        case (.filter, _): return unexpectedInFilter(expected)
        case (.slice, ":"): return failure("a slice has at most three parts, start:end:step", from: position)
        case (.index, "."), (.slice, "."): return failure("an index is an integer", from: position)
        default: return unexpected(expected)
        }
    }

    /// index-selector / slice-selector
    private mutating func parseIndexOrSlice() throws(JSONPathError) -> PathSelector {
        let start = next == ":" ? nil : try parseInteger()
        let afterStart = position
        skipBlanks()
        guard next == ":" else {
            position = afterStart
            guard let start else { throw unexpected("an index") }
            return .index(start)
        }
        position += 1
        let end = try parseSliceBound()
        var step: Int?
        if next == ":" {
            position += 1
            step = try parseSliceBound()
        }
        return .slice(PathSlice(start: start, end: end, step: step ?? 1))
    }

    private mutating func parseSliceBound() throws(JSONPathError) -> Int? {
        skipBlanks()
        guard let scalar = next, PathParser.isDigit(scalar) || scalar == "-" else { return nil }
        let bound = try parseInteger()
        skipBlanks()
        return bound
    }

    /// int = "0" / (["-"] DIGIT1 *DIGIT), within the exact range of I-JSON: ±(2^53 − 1) (RFC 9535 §2.1)
    private mutating func parseInteger() throws(JSONPathError) -> Int {
        let start = position
        if next == "-" { position += 1 }
        let firstDigit = position
        while let scalar = next, PathParser.isDigit(scalar) { position += 1 }
        guard position > firstDigit else { throw unexpected("a digit after \"-\"") }
        if scalars[firstDigit] == "0", position - start > 1 {
            throw failure(
                position - firstDigit > 1 ? "an integer must not have leading zeros" : "\"-0\" is not allowed here",
                from: start, to: position)
        }
        guard let value = Int(text(start, position)), value.magnitude < 1 << 53 else {
            throw failure("the integer is outside of ±9007199254740991", from: start, to: position)
        }
        return value
    }

    /// string-literal: in single or double quotation marks, with JSON's escapes.
    mutating func parseString() throws(JSONPathError) -> String {
        let opening = position
        let quote = next
        var result = String.UnicodeScalarView()
        position += 1
        while let scalar = next {
            if scalar == quote {
                position += 1
                return String(result)
            }
            if scalar == "\\" {
                result.append(try parseEscape(quote))
            } else if scalar.value < 0x20 {
                throw failure("a control character must be written as an escape sequence in a string", from: position)
            } else {
                result.append(scalar)
                position += 1
            }
        }
        throw failure("the string that starts here has no closing quotation mark", from: opening)
    }

    private mutating func parseEscape(_ quote: Unicode.Scalar?) throws(JSONPathError) -> Unicode.Scalar {
        let start = position
        let escaped = peek(1)
        position += 2
        switch escaped {
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "/": return "/"
        case "\\": return "\\"
        case .some(let scalar) where scalar == quote: return scalar
        case "u": return try parseUnicodeEscape(from: start)
        default:
            position = start
            throw failure(
                "unknown escape sequence; there are \\b \\f \\n \\r \\t \\/ \\\\ \\uXXXX and the enclosing quotation mark",
                from: start, to: min(start + 2, scalars.count))
        }
    }

    private mutating func parseUnicodeEscape(from start: Int) throws(JSONPathError) -> Unicode.Scalar {
        var code = try parseHexadecimalDigits()
        if code & 0xFC00 == 0xD800, next == "\\", peek(1) == "u" {
            position += 2
            let low = try parseHexadecimalDigits()
            if low & 0xFC00 == 0xDC00 { code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF) }
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw failure("half of a surrogate pair without the other half", from: start, to: position)
        }
        return scalar
    }

    private mutating func parseHexadecimalDigits() throws(JSONPathError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw unexpected("four hexadecimal digits after \"\\u\"")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
