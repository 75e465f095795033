import RegularExpressions

/// Converts regular expressions of JavaScript to the syntax of suites, which is that of the flag `u`.
enum JSRegularExpression {
    /// Returns the pattern for a literal with flags; nil if it cannot be written in a suite.
    static func pattern(_ pattern: String, flags: String) -> String? {
        var result = flags.contains("u") || flags.contains("v") ? pattern : strict(pattern)
        let options = flags.filter { "ims".contains($0) }
        if !options.isEmpty { result = "(?\(options):\(result))" }
        guard (try? RegularExpression(result, dialect: .ecmaScript)) != nil else { return nil }
        return result
    }

    /// The characters that may follow a backslash with the flag `u`.
    private static let escapable = Set("^$\\.*+?()[]{}|/dDwWsSbBfnrtv0123456789cxukpP".unicodeScalars)

    /// Returns a pattern without the escapes and brackets that only the old syntax allows.
    private static func strict(_ pattern: String) -> String {
        var result = String.UnicodeScalarView()
        let scalars = Array(pattern.unicodeScalars)
        var isInClass = false
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            switch scalar {
            case "\\":
                guard let next else { break }
                if escapable.contains(next) || isInClass && next == "-" { result.append(scalar) }
                result.append(next)
                index += 2
                continue
            case "[" where !isInClass: isInClass = true
            case "]" where isInClass: isInClass = false
            case "]" where !isInClass: result.append("\\")
            case "{" where !isInClass:
                if !isCount(scalars[(index + 1)...]) { result.append("\\") }
            case "}" where !isInClass:
                if !endsCount(result) { result.append("\\") }
            default: break
            }
            result.append(scalar)
            index += 1
        }
        return String(result)
    }

    /// Returns whether text starts with the rest of a repetition, such as `2,}`.
    private static func isCount(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let count = text.prefix(12).prefix { $0 != "}" }
        return !count.isEmpty && count.count < text.count && count.first != ","
            && count.allSatisfy { ("0"..."9").contains($0) || $0 == "," }
    }

    /// Returns whether text ends with the start of a repetition, such as `{2,`.
    private static func endsCount(_ text: String.UnicodeScalarView) -> Bool {
        let start = text.reversed().prefix(12).drop { ("0"..."9").contains($0) || $0 == "," }
        guard start.first == "{" else { return false }
        return start.dropFirst().first != "\\"
    }

    /// Returns a pattern that matches exactly a text.
    static func literal(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if "^$\\.*+?()[]{}|/".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
