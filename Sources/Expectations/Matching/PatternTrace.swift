import JSON
import RegularExpressions

/// Why a pattern does not match a text, as far as a simpler pattern or text that matches tells it.
enum PatternTrace {
    /// Longer texts, in bytes, are not tried again.
    private static let longestText = 20_000
    /// Of longer patterns, in Unicode scalars, the beginnings are not tried.
    private static let longestPattern = 120

    /// A sentence such as `it matches when case is ignored`; nil when nothing simple tells why.
    static func note(_ expression: RegularExpression, _ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= longestText else { return nil }
        if matches(expression, text, adding: .caseInsensitive) { return "it matches when case is ignored" }
        let trimmed = TextDifference.trimmed(text)
        if trimmed.utf8.count < text.utf8.count, !trimmed.isEmpty, (try? expression.matches(trimmed)) == true {
            return "it matches without the white space at its \(isBlankBefore(text) ? "beginning" : "end")"
        }
        if text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            if matches(expression, text, adding: .multiline) {
                return "a line of it matches, but ^ and $ stand for the beginning and the end of the whole text"
            }
            if matches(expression, text, adding: .dotMatchesNewlines) {
                return "it matches where . stands for line breaks too, as [^] does"
            }
        }
        return beginning(expression, text)
    }

    private static func isBlankBefore(_ text: String) -> Bool {
        text.unicodeScalars.first.map(TextDifference.isBlank) == true
    }

    private static func matches(
        _ expression: RegularExpression, _ text: String, adding option: RegularExpression.Options
    ) -> Bool {
        let options = expression.options.union(option)
        guard let other = try? RegularExpression(expression.pattern, dialect: expression.dialect, options: options)
        else {
            return false
        }
        return (try? other.matches(text)) == true
    }

    /// How far a pattern matches: its longest beginning that matches something, with what it matches.
    private static func beginning(_ expression: RegularExpression, _ text: String) -> String? {
        let pattern = Array(expression.pattern.unicodeScalars)
        guard pattern.count > 1, pattern.count <= longestPattern, !hasAlternatives(pattern) else { return nil }
        for end in (1..<pattern.count).reversed() {
            // A cut within an escape, a class, a group or a quantifier leaves nothing that could be compiled.
            let source = String(String.UnicodeScalarView(pattern[..<end]))
            guard
                let shorter = try? RegularExpression(source, dialect: expression.dialect, options: expression.options),
                let match = try? shorter.firstMatch(in: text), !match.range.isEmpty
            else { continue }
            // A letter that the pattern's first part matches says nothing.
            guard end * 2 >= pattern.count || match.text.unicodeScalars.count >= 3 else { return nil }
            return "it matches as far as /\(source)/: \(ValueDescription.quoted(String(match.text)))"
        }
        return nil
    }

    /// Whether a pattern has alternatives outside of groups: a beginning of such a pattern says nothing.
    private static func hasAlternatives(_ pattern: [Unicode.Scalar]) -> Bool {
        var depth = 0
        var isInClass = false
        var isEscaped = false
        for scalar in pattern {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch scalar {
            case "\\": isEscaped = true
            case "[": isInClass = true
            case "]": isInClass = false
            case "(" where !isInClass: depth += 1
            case ")" where !isInClass: depth -= 1
            case "|" where !isInClass && depth == 0: return true
            default: break
            }
        }
        return false
    }
}
