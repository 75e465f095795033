import Basics

/// Text of random characters, which scripts put together in a loop: `text += letters.charAt(random)`.
enum RandomText {
    private static let single = "randomString(1)"

    /// Returns whether an expression has another value each time it is evaluated.
    static func isMadeUp(_ source: String) -> Bool {
        ["random(", "randomString(", "uuid()", "now()", "fake."].contains { source.contains($0) }
    }

    /// Returns the expression of a character of a text at an index.
    static func character(of text: ScriptValue, at index: String) -> String? {
        if let literal = text.literalText, index == "random(0, 61)", Set(literal.utf8).count == 62,
            literal.utf8.allSatisfy(ASCII.isAlphanumeric)
        {
            return single
        }
        return text.operand.map { "\($0).charAt(\(index))" }
    }

    /// The text of `Math.random().toString(36)`.
    static let fraction = "\"0.\" + randomString(11).lowerAscii()"

    /// Returns a part of the text of `Math.random().toString(36)`, whose first characters are not random.
    static func fraction(from start: Int, to end: Int?) -> String? {
        let count = min(end ?? 13, 13) - start
        return start >= 2 && count > 0 ? "randomString(\(count)).lowerAscii()" : nil
    }

    /// Returns a text with another at its end, in which equal random characters are one expression.
    static func sum(_ left: ImportedText, _ right: ImportedText) -> ImportedText {
        guard let next = right.soleExpression, next == single || next.contains(".charAt(random("),
            case .expression(let last)? = left.parts.last, let joined = joined(last, next)
        else { return left + right }
        return ImportedText(left.parts.dropLast()) + ImportedText(expression: joined)
    }

    private static func joined(_ left: String, _ next: String) -> String? {
        if next == single { return repeated(left, "randomString(", ")") }
        let end = ").map(i, \(next)).join(\"\")"
        return left == next ? "lists.range(2\(end)" : repeated(left, "lists.range(", end)
    }

    /// Returns an expression of a number of characters with one more.
    private static func repeated(_ source: String, _ start: String, _ end: String) -> String? {
        guard source.hasPrefix(start), source.hasSuffix(end),
            let count = Int(source.dropFirst(start.count).dropLast(end.count))
        else { return nil }
        return "\(start)\(count + 1)\(end)"
    }
}
