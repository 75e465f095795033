extension PathParser {
    /// Returns the error for unexpected text in a filter, with a hint for an operator of another language.
    func unexpectedInFilter(_ expected: String) -> JSONPathError {
        let spellings = [
            "===": "\"===\" is no operator; equality is written ==",
            "=~": "\"=~\" is no operator; a pattern is tested with match(@.name, 'pattern') or, for a part, search",
            "=": "\"=\" is no operator; equality is written ==",
            "&": "\"&\" is no operator; both conditions are asked for with &&",
            "|": "\"|\" is no operator; one of two conditions is asked for with ||",
            "(": "functions stand before their argument, as in length(@.name); there are \(PathFunction.names)",
            "^": "JSONPath has no way to the parent; write a filter on it, such as [?@.child == 1]",
        ]
        for length in stride(from: 3, through: 1, by: -1) where position + length <= scalars.count {
            guard let message = spellings[text(position, position + length)] else { continue }
            return failure(message, from: position, to: position + length)
        }
        switch next {
        case "+", "-", "*", "/", "%":
            return failure("JSONPath does not calculate; compare with a value that is known", from: position)
        case ")":
            return failure("there is no \"(\" for this \")\"", from: position)
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
            let written = symbol.hasPrefix("!") ? "inequality is written !=" : "equality is written =="
            return failure("\"\(symbol)\" is no operator; \(written)", from: start, to: position + 1)
        case ">" where position > 0 && scalars[position - 1] == "<":
            return failure("\"<>\" is no operator; inequality is written !=", from: position - 1, to: position + 1)
        case "/":
            return failure("a pattern is written as text, in quotation marks, for match and search", from: position)
        case "[", "{":
            return failure("there are no arrays and objects to compare with; compare their members", from: position)
        case "*":
            return failure("\"*\" stands in a path, as in @.*", from: position)
        case .some(let scalar) where PathParser.isNameFirst(scalar):
            let end = endOfWord()
            return failure(PathParser.wordProblem(text(position, end)), from: position, to: end)
        default:
            return unexpected("a path starting with \"@\" or \"$\", a literal or a function")
        }
    }

    /// Returns the message for a word that is not a literal or a function call.
    static func wordProblem(_ word: String) -> String {
        if PathFunction(rawValue: word) != nil { return "expected \"(\" directly after the function's name" }
        switch word.lowercased() {
        case "true", "false", "null": return "\"\(word)\" is written \(word.lowercased())"
        case "none", "nil", "undefined":
            return "no value is written null; whether @.name is there is asked by the path alone, or by !@.name"
        case "not": return "\"not\" is written !"
        default: return "unknown word \"\(word)\"; text is written in quotation marks and a member as @.\(word)"
        }
    }

    /// Returns the equivalent of an operator that is a word; nil for another word.
    private static func operatorHint(_ word: String) -> String? {
        switch word.lowercased() {
        case "and": "\"and\" is written &&"
        case "or": "\"or\" is written ||"
        case "not": "\"not\" is written !"
        case "is", "eq", "equals": "equality is written =="
        case "ne": "inequality is written !="
        case "lt", "gt": "order is written < and >"
        case "in", "nin", "anyof":
            "there is no \"\(word)\"; write @.name == 'a' || @.name == 'b', or match(@.name, 'a|b')"
        case "matches", "like", "contains": "write match(@.name, 'pattern') or, for a part of the text, search"
        default: nil
        }
    }

    /// Returns the error for a name in brackets without quotation marks.
    func unquotedName() -> JSONPathError {
        let end = endOfWord()
        return failure(
            "a name in brackets is written in quotation marks: ['\(text(position, end))']", from: position, to: end)
    }

    /// Returns the error for a `(` in place of a selector.
    func unmarkedFilter() -> JSONPathError {
        let rest = text(position, min(position + 20, scalars.count))
        if rest.hasPrefix("(@.length") {
            return failure("the last element is [-1], the one before it [-2]", from: position)
        }
        return failure("a filter starts with \"?\": [?@.price < 10]", from: position)
    }

    /// Returns the message for an unknown function name.
    static func unknownFunction(_ name: String) -> String {
        switch name.lowercased() {
        case "size", "len", "strlen": "unknown function \"\(name)\"; did you mean length?"
        case "matches", "regex", "regexp": "unknown function \"\(name)\"; did you mean match, or search for a part?"
        case "contains", "startswith", "endswith", "includes":
            "unknown function \"\(name)\"; search(@.name, 'part') finds a part of a text"
        case "not": "\"not\" is written !"
        default: "unknown function \"\(name)\"; there are \(PathFunction.names)"
        }
    }

    /// Returns the error for text that is not the start of a segment.
    func unexpectedAfterSegments(_ nameStart: Int?) -> JSONPathError {
        let wanted = "\".\" or \"[\""
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
                "there are functions in filters only, as in $.items[?length(@.name) > 2]", from: position)
        case "/":
            return failure("the steps of a JSONPath are written with \".\": $.a.b", from: position)
        case "]":
            return failure("there is no \"[\" for this \"]\"", from: position)
        case "^", "~":
            return failure("JSONPath has no \"\(scalar)\"; it selects members and elements only", from: position)
        case "=", "<", ">", "!":
            return failure("a comparison stands in a filter: [?@.name == 'x']", from: position)
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
