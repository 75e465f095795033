import Basics

/// Writes strings as scalars that both YAML 1.1 and YAML 1.2 readers parse as strings; the only code that decides about
/// quotes.
package enum YAMLText {
    /// The context of a scalar.
    package enum Location: Sendable {
        /// On a separate line, or after a key or `-`.
        case block
        /// In a flow collection, or before a colon.
        case flow
    }

    /// The policy for quoting strings.
    package enum Quoting: Sendable {
        /// Quotes strings that would be parsed as another type, or that people might misread as one.
        case whereNeeded
        /// Quotes everything except ASCII words and names, for files that programs read more often than people.
        case butWords
    }

    /// Returns a string as a scalar on one line.
    package static func scalar(_ text: String, in location: Location, quoting: Quoting = .whereNeeded) -> String {
        if isPlain(text, in: location), quoting == .whereNeeded || isWord(text) { return text }
        if text.unicodeScalars.allSatisfy(isPrintable) {
            if !text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
                return "\"\(text)\""
            }
            // Doubled quotes are harder to read than escapes.
            if !text.utf8.contains(UInt8(ascii: "'")) { return "'\(text)'" }
        }
        return escaped(text)
    }

    /// Returns a string as a comment without `#`: on a single line, without control characters.
    package static func comment(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }))
    }

    /// Returns the lines of a string that can be written with `|`; nil if it needs quotes or has a single line.
    static func literalLines(_ text: String) -> [Substring]? {
        guard text.utf8.contains(UInt8(ascii: "\n")), !text.hasSuffix("\n\n"), text != "\n" else { return nil }
        let body = text.hasSuffix("\n") ? text.dropLast() : text[...]
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, !first.isEmpty, !first.hasPrefix(" ") else { return nil }
        let isLiteral = lines.allSatisfy { line in
            line.utf8.last != UInt8(ascii: " ") && line.unicodeScalars.allSatisfy(isPrintable)
        }
        return isLiteral ? lines : nil
    }

    /// Returns a string in double quotes (YAML 1.2, section 5.7).
    private static func escaped(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where isPrintable(scalar): result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let width = scalar.value > 0xFFFF ? 8 : 4
                result += (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
            }
        }
        return result + "\""
    }

    // MARK: Plain scalars

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: true
        case 0x00...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
        default: scalar.properties.generalCategory != .format
        }
    }

    /// Returns whether a string needs no quotes.
    private static func isPlain(_ text: String, in location: Location) -> Bool {
        // Outside of braces, an expression needs no quotes, with or without surrounding text.
        if location == .flow, text.utf8.contains(UInt8(ascii: "$")), text.contains("${") { return false }
        guard let first = text.unicodeScalars.first, text.utf8.last != UInt8(ascii: " "), !isOther(text) else {
            return false
        }
        switch first {
        case "a"..."z", "A"..."Z", "0"..."9", "/", "_", "(", "$", "+", ".": break
        case "-":
            guard let second = text.unicodeScalars.dropFirst().first, second != " ", second != "-" else { return false }
        default:
            if first.value <= 0xA0 { return false }
        }
        return !hasSeparator(text, in: location)
    }

    /// Returns whether a string contains characters that end a plain scalar.
    private static func hasSeparator(_ text: String, in location: Location) -> Bool {
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            guard isPrintable(scalar) else { return true }
            switch scalar {
            case ",", "[", "]", "{", "}", "\"", "`": if location == .flow { return true }
            case "#": if previous == " " { return true }
            case " ": if previous == ":" { return true }
            // libyaml interprets `:?` as the start of a value there.
            case "?": if previous == ":", location == .flow { return true }
            default: break
            }
            previous = scalar
        }
        return previous == ":"
    }

    /// Words that YAML 1.1 parses as Booleans.
    private static let booleans: Set<String> = ["yes", "no", "on", "off", "y", "n"]

    /// Returns whether a YAML reader parses a plain scalar as a type other than string, or people might expect it to.
    private static func isOther(_ text: String) -> Bool {
        guard case .string = CoreScalar(plain: text), let first = text.utf8.first else { return true }
        let lower = text.lowercased()
        if booleans.contains(lower) || ["true", "false", "null", "~", ".nan", ".inf", "+.inf", "-.inf"].contains(lower)
        {
            return true
        }
        let bytes = Array(text.utf8)
        func isDigit(_ position: Int) -> Bool { bytes[position] >= 0x30 && bytes[position] <= 0x39 }
        // A date is a string in YAML 1.2, and people read it as one. The same is true for a class of status codes.
        if bytes.count == 10, [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy(isDigit), bytes[4] == 0x2D, bytes[7] == 0x2D {
            return false
        }
        if bytes.count == 3, isDigit(0), text.hasSuffix("xx") { return false }
        guard isDigit(0) || "+-.".utf8.contains(first) else { return false }
        // YAML 1.1 has numbers such as 1_000, 0x1F, and 1:30.
        return text.hasPrefix("0x") || text.hasPrefix("0o")
            || bytes.allSatisfy { (0x30...0x39).contains($0) || "+-.eE_:".utf8.contains($0) }
    }

    /// Returns whether a string is an ASCII word, name, or path.
    private static func isWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 200 else { return false }
        guard isLetter(first) || first == UInt8(ascii: "_") || first == UInt8(ascii: "/") else { return false }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || (0x30...0x39).contains(byte) || "_-./+$ ()'".utf8.contains(byte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
