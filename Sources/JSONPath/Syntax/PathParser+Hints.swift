import Basics

extension PathParser {
    /// Returns the error for unexpected text in a filter, with a hint for an operator of another language.
    func unexpectedInFilter(_ expected: MessageText) -> JSONPathError {
        let spellings: [String: MessageText] = [
            "===": "\"===\" is not an operator; write ==",
            "=~": "\"=~\" is not an operator; write match(@.name, 'pattern'), or search(…) for a substring",
            "=": "\"=\" is not an operator; for equality, write ==",
            "&": "\"&\" is not an operator; write &&",
            "|": "\"|\" is not an operator; write ||",
            "(": "expected a function before \"(\", as in length(@.name); the functions are \(PathFunction.names)",
            "^": "JSONPath cannot select a parent; filter the parent instead, as in [?@.child == 1]",
        ]
        for length in stride(from: 3, through: 1, by: -1) where position + length <= scalars.count {
            guard let message = spellings[text(position, position + length)] else { continue }
            return failure(message, from: position, to: position + length)
        }
        switch next {
        case "+", "-", "*", "/", "%":
            return failure("JSONPath does not support arithmetic; compare with a constant", from: position)
        case ")":
            return failure("unmatched \")\"", from: position)
        case .some(let scalar) where PathParser.isNameFirst(scalar):
            let end = endOfWord()
            guard let message = PathParser.operatorHint(text(position, end)) else { break }
            return failure(message, from: position, to: end)
        default:
            break
        }
        return unexpected(expected)
    }

    /// Returns the error for a missing operand.
    func unexpectedOperand() -> JSONPathError {
        switch next {
        case "=" where position > 0 && scalars[position - 1] == "=":
            let start = scalars[..<position].lastIndex { $0 != "=" && $0 != "!" }.map { $0 + 1 } ?? 0
            let symbol = text(start, position + 1)
            let written: MessageText = symbol.hasPrefix("!") ? "write !=" : "write =="
            return failure("\"\(symbol)\" is not an operator; \(written)", from: start, to: position + 1)
        case ">" where position > 0 && scalars[position - 1] == "<":
            return failure("\"<>\" is not an operator; write !=", from: position - 1, to: position + 1)
        case "/":
            return failure("write a pattern as a string argument of match or search", from: position)
        case "[", "{":
            return failure("cannot compare with an array or object; compare their members", from: position)
        case "*":
            return failure("\"*\" must be part of a path, as in @.*", from: position)
        case .some(let scalar) where PathParser.isNameFirst(scalar):
            let end = endOfWord()
            return failure(PathParser.wordProblem(text(position, end)), from: position, to: end)
        default:
            return unexpected("a path starting with \"@\" or \"$\", a literal or a function")
        }
    }

    /// Returns the message for a word that is not a literal or a function call.
    static func wordProblem(_ word: String) -> MessageText {
        if PathFunction(rawValue: word) != nil { return "expected \"(\" directly after the function name" }
        switch word.lowercased() {
        case "true", "false", "null": return "write \(word.lowercased()) instead of \"\(word)\""
        case "none", "nil", "undefined":
            return "write null; to test whether a member exists, write @.name or !@.name"
        case "not": return "write ! instead of \"not\""
        default: return "unknown word \"\(word)\"; enclose a string in quotation marks, or write a member as @.\(word)"
        }
    }

    /// Returns the equivalent of an operator that is a word; nil for another word.
    private static func operatorHint(_ word: String) -> MessageText? {
        switch word.lowercased() {
        case "and": "write && instead of \"and\""
        case "or": "write || instead of \"or\""
        case "not": "write ! instead of \"not\""
        case "is", "eq", "equals": "for equality, write =="
        case "ne": "for inequality, write !="
        case "lt", "gt": "to compare the order, write < or >"
        case "in", "nin", "anyof":
            "\"\(word)\" is not an operator; write @.name == 'a' || @.name == 'b', or match(@.name, 'a|b')"
        case "matches", "like", "contains": "write match(@.name, 'pattern'), or search(…) for a substring"
        default: nil
        }
    }

    /// Returns the error for a name in brackets without quotation marks.
    func unquotedName() -> JSONPathError {
        let end = endOfWord()
        return failure(
            "enclose a name in quotation marks: ['\(text(position, end))']", from: position, to: end)
    }

    /// Returns the error for a `(` in place of a selector.
    func unmarkedFilter() -> JSONPathError {
        let rest = text(position, min(position + 20, scalars.count))
        if rest.hasPrefix("(@.length") {
            return failure("write the last element as [-1], and the second to last as [-2]", from: position)
        }
        return failure("a filter must start with \"?\": [?@.price < 10]", from: position)
    }

    /// Returns the message for an unknown function name.
    static func unknownFunction(_ name: String) -> MessageText {
        switch name.lowercased() {
        case "size", "len", "strlen": "unknown function \"\(name)\"; did you mean \"length\"?"
        case "matches", "regex", "regexp":
            "unknown function \"\(name)\"; did you mean \"match\", or \"search\" for a substring?"
        case "contains", "startswith", "endswith", "includes":
            "unknown function \"\(name)\"; to search for a substring, write search(@.name, 'part')"
        case "not": "write ! instead of \"not\""
        default: "unknown function \"\(name)\"; the functions are \(PathFunction.names)"
        }
    }

    /// Returns the error for text that is not the start of a segment.
    func unexpectedAfterSegments(_ nameStart: Int?) -> JSONPathError {
        let wanted: MessageText = "\".\" or \"[\""
        guard let scalar = next else { return unexpected(wanted) }
        if let nameStart, !PathParser.isStructural(scalar) {
            // The name continues with characters that are allowed only in bracket notation.
            var end = position
            while end < scalars.count, !PathParser.isStructural(scalars[end]) { end += 1 }
            let name = text(nameStart, end)
            return failure("expected \(wanted), found \"\(scalar)\"; write the name as ['\(name)']", from: position)
        }
        switch scalar {
        case "(":
            return failure(
                "functions are allowed only in filters, as in $.items[?length(@.name) > 2]", from: position)
        case "/":
            return failure("separate the segments of a JSONPath with \".\": $.a.b", from: position)
        case "]":
            return failure("unmatched \"]\"", from: position)
        case "^", "~":
            return failure("JSONPath has no \"\(scalar)\"; it can select only members and elements", from: position)
        case "=", "<", ">", "!":
            return failure("a comparison must be in a filter: [?@.name == 'x']", from: position)
        case _ where PathParser.isNameFirst(scalar):
            return failure(
                "expected \(wanted), found \"\(scalar)\"; write .\(text(position, endOfWord()))", from: position)
        default:
            return unexpected(wanted)
        }
    }

    /// Returns whether a character does not suggest a name that belongs in brackets.
    private static func isStructural(_ scalar: Unicode.Scalar) -> Bool {
        isBlank(scalar) || "()[]./'\"^~=<>!?,*".unicodeScalars.contains(scalar) || scalar.value < 0x20
    }

    /// Returns the end of the word that starts at the position.
    func endOfWord() -> Int {
        var end = position
        while end < scalars.count, PathParser.isNameFirst(scalars[end]) || PathParser.isDigit(scalars[end]) { end += 1 }
        return end
    }
}
