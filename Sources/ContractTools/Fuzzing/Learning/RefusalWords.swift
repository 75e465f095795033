/// A list of values in a sentence.
enum ListedValues {
    private static let maximumCount = 100

    /// Returns the values without quotation marks: `'a', 'b' or 'c'`, `a, b`, `a | b`, or `:a, :b`.
    static func values(_ text: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var quote: Character?
        func isEnd(_ word: String) -> Bool { word == "or" || word == "and" }
        func finish() {
            var words = part.split(separator: " ", omittingEmptySubsequences: true)[...]
            if let first = words.first, isEnd(String(first)) { words.removeFirst() }
            let value = words.joined(separator: " ").drop { $0 == ":" }
            if !value.isEmpty { parts.append(String(value)) }
            part = ""
        }
        for character in text {
            if let open = quote {
                if character == open {
                    parts.append(part)
                    part = ""
                    quote = nil
                } else {
                    part.append(character)
                }
            } else if "'\"`".contains(character), part.split(separator: " ").allSatisfy({ isEnd(String($0)) }) {
                quote = character
                part = ""
            } else if ",|".contains(character) {
                finish()
            } else {
                part.append(character)
            }
            if parts.count >= maximumCount { return parts }
        }
        if part.hasSuffix(".") { part.removeLast() }
        let rest = part
        part = ""
        // `a or b` without commas
        for word in rest.split(separator: " ") where quote == nil {
            if isEnd(String(word)) { finish() } else { part += part.isEmpty ? String(word) : " \(word)" }
        }
        if quote == nil { finish() }
        return parts
    }
}

/// The characters that a sentence allows.
enum CharacterWords {
    /// Returns the pattern for words such as `ASCII alphanumerics, '.', '_' and '-'`, or `nil` if there are none.
    static func pattern(_ words: String) -> String? {
        let text = words.lowercased()
        var set = ""
        if text.contains("alphanumeric") {
            set = "A-Za-z0-9"
        } else {
            if text.contains("lowercase") {
                set += "a-z"
            } else if text.contains("uppercase") {
                set += "A-Z"
            } else if text.contains("letter") || text.contains("alphabetic") {
                set += "A-Za-z"
            }
            if text.contains("digit") || text.contains("number") || text.contains("numeric") { set += "0-9" }
        }
        guard !set.isEmpty else { return nil }
        if text.contains("'.'") || text.contains("dot") || text.contains("period") { set += "." }
        if text.contains("underscore") || text.contains("'_'") { set += "_" }
        if text.contains("dash") || text.contains("hyphen") || text.contains("'-'") { set += "\\-" }
        if text.contains("space") { set += " " }
        return "[\(set)]+"
    }
}
