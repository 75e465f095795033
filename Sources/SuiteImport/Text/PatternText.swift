import RegularExpressions

/// The translation of patterns of Python and Rust, whose syntax is more permissive than that of matchers.
package enum PatternText {
    /// Returns a pattern for matchers, which use the syntax of ECMA-262; nil if there is no equivalent.
    package static func matcher(_ pattern: String) -> String? {
        // Flags at the start apply to the whole pattern.
        var pattern = pattern
        if pattern.hasPrefix("(?"), let end = pattern.firstIndex(of: ")") {
            let flags = pattern[pattern.index(pattern.startIndex, offsetBy: 2)..<end]
            if !flags.isEmpty, flags.allSatisfy({ "ims".contains($0) }) {
                pattern = "(?\(flags):\(pattern[pattern.index(after: end)...]))"
            }
        }
        if isValid(pattern) { return pattern }
        let rewritten = rewritten(pattern)
        return isValid(rewritten) ? rewritten : nil
    }

    private static func isValid(_ pattern: String) -> Bool {
        (try? RegularExpression(pattern, dialect: .ecmaScript)) != nil
    }

    /// Returns a pattern without the notations that only other dialects have.
    private static func rewritten(_ pattern: String) -> String {
        var result = ""
        var isInClass = false
        var rest = pattern[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard let next = rest.popFirst() else { return result + "\\" }
                switch next {
                case "A" where !isInClass: result += "^"
                case "Z" where !isInClass, "z" where !isInClass: result += "$"
                case "-" where isInClass: result += "\\-"
                case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": result += "\\\(next)"
                default: result += next.isLetter || next.isNumber ? "\\\(next)" : String(next)
                }
            case "[" where isInClass: result += "\\["
            case "[":
                isInClass = true
                result += "["
                // A bracket at the start is a member.
                if rest.hasPrefix("^") { result.append(rest.removeFirst()) }
                if rest.hasPrefix("]") {
                    result += "\\]"
                    rest = rest.dropFirst()
                }
            case "]" where isInClass:
                isInClass = false
                result += "]"
            case "]": result += "\\]"
            case "(" where !isInClass && rest.hasPrefix("?P<"):
                result += "(?<"
                rest = rest.dropFirst(3)
            case "{" where !isInClass && !isCount(rest): result += "\\{"
            case "}" where !isInClass && !endsCount(result): result += "\\}"
            default: result.append(character)
            }
        }
        return result
    }

    private static func isCount(_ rest: Substring) -> Bool {
        guard let end = rest.firstIndex(of: "}"), end != rest.startIndex else { return false }
        return rest[..<end].allSatisfy { $0.isNumber || $0 == "," } && rest.first != ","
    }

    private static func endsCount(_ result: String) -> Bool {
        let digits = result.reversed().prefix { $0.isNumber || $0 == "," }
        return !digits.isEmpty && result.dropLast(digits.count).last == "{"
    }
}
