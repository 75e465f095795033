import CEL

/// A string of an imported suite: literal text and expressions.
package struct ImportedText: Sendable, Hashable {
    /// A part of a string.
    package enum Part: Sendable, Hashable {
        /// Text to be taken literally, whatever it contains.
        case literal(String)
        /// The source of a CEL expression, without `${` and `}`.
        case expression(String)

        /// Whether literal text contains a line break.
        package var hasLineBreak: Bool {
            if case .literal(let text) = self { text.utf8.contains { $0 == 0x0A || $0 == 0x0D } } else { false }
        }
    }

    /// The parts, without two adjacent literals and without empty ones.
    package private(set) var parts: [Part] = []

    /// Creates an empty string.
    package init() {}

    /// Creates a string without expressions.
    package init(_ literal: some StringProtocol) { append(literal: literal) }

    /// Creates a string that is a single expression.
    package init(expression source: String) { append(expression: source) }

    /// Creates a string from parts.
    package init(_ parts: some Sequence<Part>) {
        for part in parts { append(part) }
    }

    /// Creates the string of a variable's value.
    package static func variable(_ name: String) -> ImportedText { ImportedText(expression: name) }

    /// Appends literal text.
    package mutating func append(literal text: some StringProtocol) {
        if text.isEmpty { return }
        if case .literal(let last)? = parts.last {
            parts[parts.count - 1] = .literal(last + text)
        } else {
            parts.append(.literal(String(text)))
        }
    }

    /// Appends an expression.
    package mutating func append(expression source: String) { parts.append(.expression(source)) }

    /// Appends another string.
    package mutating func append(_ other: ImportedText) {
        for part in other.parts { append(part) }
    }

    private mutating func append(_ part: Part) {
        switch part {
        case .literal(let text): append(literal: text)
        case .expression(let source): append(expression: source)
        }
    }

    /// Returns the concatenation of two strings.
    package static func + (left: ImportedText, right: ImportedText) -> ImportedText {
        var result = left
        result.append(right)
        return result
    }

    /// Whether the string is empty.
    package var isEmpty: Bool { parts.isEmpty }

    /// The text if it contains no expression; otherwise nil.
    package var literal: String? {
        switch parts.count {
        case 0: return ""
        case 1: if case .literal(let text) = parts[0] { return text }
        default: break
        }
        return nil
    }

    /// The source of the expression if the string is nothing else; otherwise nil.
    package var soleExpression: String? {
        if parts.count == 1, case .expression(let source) = parts[0] { source } else { nil }
    }

    /// The sources of the expressions.
    package var expressions: [String] {
        parts.compactMap { if case .expression(let source) = $0 { source } else { nil } }
    }

    /// The string as it is written in a suite, where `${…}` is an expression and `$${` is a literal `${`.
    package var template: String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += Self.escaped(literal)
            case .expression(let source):
                // After a dollar sign, `${` would be an escape.
                let rest = text.utf8.reversed().drop { $0 == UInt8(ascii: "$") }.count
                let dollars = text.utf8.count - rest
                if dollars > 0 {
                    text = String(text.dropLast(dollars)) + "${\"\(String(repeating: "$", count: dollars))\"}"
                }
                text += "${\(source)}"
            }
        }
        return text
    }

    /// The string as a CEL expression whose value is a string, such as `"/books/" + string(id)`.
    package var concatenation: String {
        if let literal { return CELExpression.literal(literal) }
        return parts.map { part in
            switch part {
            case .literal(let text): CELExpression.literal(text)
            case .expression(let source): "string(\(source))"
            }
        }.joined(separator: " + ")
    }

    /// Returns the string with transformed literals.
    package func mapLiterals(_ transform: (String) -> String) -> ImportedText {
        ImportedText(
            parts.map { part in
                if case .literal(let text) = part { .literal(transform(text)) } else { part }
            })
    }

    /// Returns the string with transformed expressions.
    package func mapExpressions(_ transform: (String) -> String) -> ImportedText {
        ImportedText(
            parts.map { part in
                if case .expression(let source) = part { .expression(transform(source)) } else { part }
            })
    }

    /// Returns the string without its first characters if its literal start has that prefix; otherwise nil.
    package func dropping(prefix: String) -> ImportedText? {
        if prefix.isEmpty { return self }
        guard case .literal(let first)? = parts.first, first.utf8.starts(with: prefix.utf8) else { return nil }
        var result = ImportedText(String(decoding: first.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
        for part in parts.dropFirst() { result.append(part) }
        return result
    }

    /// Returns literal text in which `${` is escaped.
    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        var result = ""
        var isAfterDollar = false
        for scalar in text.unicodeScalars {
            if isAfterDollar, scalar == "{" { result += "$" }
            isAfterDollar = scalar == "$"
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

extension ImportedText: ExpressibleByStringLiteral {
    /// Creates a string without expressions.
    package init(stringLiteral value: String) { self.init(value) }
}
