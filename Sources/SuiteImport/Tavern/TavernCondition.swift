import CEL

/// The translation of the conditions of `skipif` and `skip`, which are expressions of Python.
enum TavernCondition {
    /// Returns a condition as a CEL expression; nil if it is not a comparison of strings, numbers and variables.
    static func expression(_ source: String, _ scope: inout TavernScope) -> String? {
        let text = withoutParentheses(source.trimmingBlanks)
        if text.utf8.count > maximumLength { return nil }
        if let field = scope.expression(text) { return "bool(string(\(field)))" }
        for (separator, symbol) in [(" and ", "&&"), (" or ", "||")] {
            let parts = QuotedText.split(text, at: separator, keepsParentheses: true)
            if parts.count > 1 {
                let conditions = parts.map { expression($0, &scope) }
                guard !conditions.contains(nil) else { return nil }
                return conditions.compactMap { $0.map { "(\($0))" } }.joined(separator: " \(symbol) ")
            }
        }
        if text == "True" || text == "true" { return "true" }
        if text == "False" || text == "false" { return "false" }
        if text.hasPrefix("not ") { return expression(String(text.dropFirst(4)), &scope).map { "!(\($0))" } }
        for symbol in [" not in ", " in "] {
            let parts = QuotedText.split(text, at: symbol, keepsParentheses: true)
            guard parts.count == 2 else { continue }
            guard let part = operand(parts[0], &scope), let whole = operand(parts[1], &scope) else { return nil }
            return "\(symbol == " in " ? "" : "!")\(whole).contains(\(part))"
        }
        for symbol in ["==", "!=", ">=", "<=", ">", "<"] {
            let parts = QuotedText.split(text, at: symbol, keepsParentheses: true)
            guard parts.count == 2 else { continue }
            guard let left = operand(parts[0], &scope), let right = operand(parts[1], &scope) else { return nil }
            return "\(left) \(symbol) \(right)"
        }
        return nil
    }

    /// The maximum length of a condition, which also limits its nesting.
    private static let maximumLength = 1_000

    /// Returns a text without the parentheses that enclose all of it.
    private static func withoutParentheses(_ text: String) -> String {
        guard text.hasPrefix("("), text.hasSuffix(")") else { return text }
        var depth = 0
        for (index, character) in text.enumerated() {
            if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
            if depth == 0, index < text.count - 1 { return text }
        }
        return String(text.dropFirst().dropLast()).trimmingBlanks
    }

    private static func operand(_ source: String, _ scope: inout TavernScope) -> String? {
        let text = source.trimmingBlanks
        if text.hasPrefix("len("), text.hasSuffix(")"), text.utf8.count <= maximumLength {
            return operand(String(text.dropFirst(4).dropLast()), &scope).map { "size(\($0))" }
        }
        if let quote = text.first, quote == "'" || quote == "\"" {
            guard text.count > 1, text.last == quote else { return nil }
            let inner = text.dropFirst().dropLast()
            if inner.contains(quote) { return nil }
            let value = scope.text(String(inner))
            return value.parts.count > 1 ? "(\(value.concatenation))" : value.concatenation
        }
        if Double(text) != nil { return text }
        if text.hasPrefix("{") { return scope.expression(text) }
        return nil
    }
}
