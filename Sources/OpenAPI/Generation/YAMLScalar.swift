import JSON

/// Texts as scalars of YAML 1.2, with quotes where they need them.
enum YAMLScalar {
    /// A text as a scalar.
    static func text(_ text: String, isInFlow: Bool) -> String {
        if isPlain(text, isInFlow: isInFlow) { return text }
        if text.unicodeScalars.allSatisfy({ isPrintable($0) }) {
            if !text.contains("\"") && !text.contains("\\") { return "\"\(text)\"" }
            // Doubled quotes are harder to read than escapes.
            if !text.contains("'") { return "'\(text)'" }
        }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default:
                if isPrintable(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    let digits = String(scalar.value, radix: 16, uppercase: true)
                    let width = scalar.value > 0xFFFF ? 8 : 4
                    result +=
                        (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
                }
            }
        }
        return result + "\""
    }

    /// A text as a key.
    static func key(_ text: String) -> String { self.text(text, isInFlow: true) }

    /// The lines of a text that is written with `|`; nil for one that needs quotes, or has a single line.
    static func blockLines(_ text: String) -> [Substring]? {
        guard text.utf8.contains(UInt8(ascii: "\n")), !text.hasSuffix("\n\n"), text != "\n" else { return nil }
        let body = text.hasSuffix("\n") ? text.dropLast() : text[...]
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, !first.isEmpty, !first.hasPrefix(" ") else { return nil }
        for line in lines {
            guard line.last != " ", line.unicodeScalars.allSatisfy({ isPrintable($0) }) else { return nil }
        }
        return lines
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: return true
        case 0x00...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: return false
        default: return scalar.properties.generalCategory != .format
        }
    }

    /// Whether a text needs no quotes.
    private static func isPlain(_ text: String, isInFlow: Bool) -> Bool {
        // An expression alone, or with text around it, needs none outside of braces.
        let hasExpression = text.contains("${")
        if isInFlow, hasExpression { return false }
        guard let first = text.unicodeScalars.first, text.last != " ", !isOther(text) else { return false }
        switch first {
        case "a"..."z", "A"..."Z", "0"..."9", "/", "_", "(", "$", "+", ".": break
        case "-" where text.unicodeScalars.dropFirst().first.map { $0 != " " && $0 != "-" } ?? false: break
        default: return first.value > 0xA0 && isPrintable(first) && !hasSeparator(text, isInFlow: isInFlow)
        }
        return !hasSeparator(text, isInFlow: isInFlow)
    }

    private static func hasSeparator(_ text: String, isInFlow: Bool) -> Bool {
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            if !isPrintable(scalar) { return true }
            switch scalar {
            case ",", "[", "]", "{", "}", "\"", "`":
                if isInFlow { return true }
            case "#":
                if previous == " " { return true }
            case " ":
                if previous == ":" { return true }
            default: break
            }
            previous = scalar
        }
        return previous == ":"
    }

    /// Whether YAML would read a number, a boolean or null, or people might expect that it does.
    private static func isOther(_ text: String) -> Bool {
        switch text.lowercased() {
        case "true", "false", "null", "yes", "no", "on", "off", "y", "n", "~", ".nan", ".inf", "+.inf": return true
        default: break
        }
        guard let first = text.utf8.first else { return true }
        let bytes = Array(text.utf8)
        func isDigit(_ position: Int) -> Bool { bytes[position] >= 0x30 && bytes[position] <= 0x39 }
        // A date is a text in YAML 1.2, and people read it as one; so is a class of statuses.
        if bytes.count == 10, [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy(isDigit), bytes[4] == 0x2D, bytes[7] == 0x2D {
            return false
        }
        if bytes.count == 3, isDigit(0), text.hasSuffix("xx") { return false }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            if text.hasPrefix("0x") || text.hasPrefix("0o") { return true }
            return bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "_"), UInt8(ascii: ":"):
                    true
                default: false
                }
            }
        default: return false
        }
    }
}
