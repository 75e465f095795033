/// Text with parts in single or double quotes.
enum QuotedText {
    /// Splits a text at a separator outside of quotes.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of parts.
    ///   - keepsParentheses: Whether a separator within parentheses does not count.
    static func split(
        _ text: String, at separator: String, maximum: Int = .max, keepsParentheses: Bool = false
    ) -> [String] {
        var parts = [""]
        var quote: Character?
        var depth = 0
        var rest = text[...]
        while let character = rest.first {
            if quote == nil, depth == 0, parts.count < maximum, rest.hasPrefix(separator) {
                parts.append("")
                rest = rest.dropFirst(separator.count)
                continue
            }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if quote == nil, keepsParentheses, character == "(" {
                depth += 1
            } else if quote == nil, keepsParentheses, character == ")" {
                depth -= 1
            }
            parts[parts.count - 1].append(character)
            rest = rest.dropFirst()
        }
        return parts
    }
}
