import JSON

/// Translates the lines of an `assert` block, such as `res.body.title: eq Dune`.
enum BrunoAssertions {
    /// The operators without an operand.
    private static let unary: Set<String> = [
        "isEmpty", "isNotEmpty", "isNull", "isUndefined", "isDefined", "isTruthy", "isFalsy", "isJson", "isNumber",
        "isString", "isBoolean", "isArray",
    ]

    private static let binary: Set<String> = [
        "eq", "neq", "gt", "gte", "lt", "lte", "in", "notIn", "contains", "notContains", "length", "matches",
        "notMatches", "startsWith", "endsWith", "between",
    ]

    /// Returns the condition of an assertion; nil if it is unknown.
    ///
    /// - Parameters:
    ///   - subject: The value of the expression before the colon.
    ///   - text: The operator with its operand; without an operator, the value must be equal.
    static func condition(
        _ subject: ScriptValue, _ text: String, _ variables: inout ScriptVariables
    ) -> ScriptCondition? {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        let name = words.first.map(String.init) ?? ""
        func claim(_ operation: ScriptClaim.Operation) -> ScriptCondition { .claim(ScriptClaim(subject, operation)) }
        if unary.contains(name) {
            switch name {
            case "isEmpty": return claim(.empty)
            case "isNotEmpty": return claim(.empty).negated
            case "isNull": return claim(.equals(.null))
            case "isUndefined": return claim(.equals(.undefined))
            case "isDefined": return claim(.exists)
            case "isTruthy": return .truth(subject)
            case "isFalsy": return ScriptCondition.truth(subject).negated
            case "isJson": return claim(.type("object"))
            default: return claim(.type(name.dropFirst(2).lowercased()))
            }
        }
        let isNamed = binary.contains(name)
        let operand = isNamed ? (words.count > 1 ? String(words[1]) : "") : text
        let value = value(operand, &variables)
        switch isNamed ? name : "eq" {
        case "eq": return claim(.equals(value))
        case "neq": return claim(.equals(value)).negated
        case "gt": return claim(.greater(value))
        case "gte": return claim(.atLeast(value))
        case "lt": return claim(.less(value))
        case "lte": return claim(.atMost(value))
        case "in": return claim(.oneOf(list(operand, &variables)))
        case "notIn": return claim(.oneOf(list(operand, &variables))).negated
        case "contains": return claim(.contains(value))
        case "notContains": return claim(.contains(value)).negated
        case "length": return .claim(ScriptClaim(.length(subject), .equals(value)))
        case "matches": return pattern(operand).map { claim(.matches($0)) }
        case "notMatches": return pattern(operand).map { claim(.matches($0)).negated }
        case "startsWith": return claim(.startsWith(value))
        case "endsWith": return claim(.endsWith(value))
        case "between":
            let bounds = list(operand, &variables)
            return bounds.count == 2 ? claim(.between(bounds[0], bounds[1])) : nil
        default: return nil
        }
    }

    /// Returns the value of an operand, as Bruno reads it.
    private static func value(_ text: String, _ variables: inout ScriptVariables) -> ScriptValue {
        switch text {
        case "null": return .null
        case "undefined": return .undefined
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        if let number = JSONNumber(literal: text) { return .number(number.literal) }
        if text.utf8.count > 1, let quote = text.first, quote == "\"" || quote == "'", text.last == quote {
            return .text(ScriptTemplate.text(String(text.dropFirst().dropLast()), &variables))
        }
        return .text(ScriptTemplate.text(text, &variables))
    }

    /// Returns the values of a list such as `[1, 2]` or `a, b`.
    private static func list(_ text: String, _ variables: inout ScriptVariables) -> [ScriptValue] {
        let inner = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
        var result: [ScriptValue] = []
        for part in inner.split(separator: ",") { result.append(value(String(BruFile.trimmed(part)), &variables)) }
        return result
    }

    private static func pattern(_ text: String) -> String? {
        guard text.hasPrefix("/"), let end = text.lastIndex(of: "/"), end > text.startIndex else {
            return JSRegularExpression.pattern(text, flags: "")
        }
        return JSRegularExpression.pattern(
            String(text[text.index(after: text.startIndex)..<end]), flags: String(text[text.index(after: end)...]))
    }
}
