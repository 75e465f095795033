/// Translates strings with `{{name}}` into strings with expressions.
enum ScriptTemplate {
    /// The start of the names of environment variables in Bruno.
    private static let environmentPrefix = "process.env."

    /// Returns a string with expressions in place of variables.
    static func text(_ source: String, _ variables: inout ScriptVariables) -> ImportedText {
        var result = ImportedText()
        var rest = source[...]
        while let start = rest.firstRange(of: "{{") {
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else { break }
            var open = start
            // Of several braces, the last two are those of the variable.
            while open.upperBound < end.lowerBound, rest[open.upperBound] == "{" {
                open = rest.index(after: open.lowerBound)..<rest.index(after: open.upperBound)
            }
            let name = rest[open.upperBound..<end.lowerBound]
            result.append(literal: rest[..<open.lowerBound])
            rest = rest[end.upperBound...]
            let trimmed = name.drop { $0 == " " }
            let isName = !trimmed.isEmpty && !name.contains("{") && !name.contains("\n") && !name.contains("\"")
            if name.hasPrefix("$") {
                if let value = DynamicValues.expression(String(name.dropFirst())) {
                    result.append(expression: value)
                } else {
                    variables.unknownDynamicValues.append(String(name))
                    result.append(literal: "{{\(name)}}")
                }
            } else if isName {
                var text = String(trimmed)
                while text.hasSuffix(" ") { text.removeLast() }
                if text.hasPrefix(environmentPrefix) {
                    let name = String(text.dropFirst(environmentPrefix.count))
                    result.append(expression: "env(\(ImportedNames.literal(name)))")
                } else {
                    result.append(expression: variables.name(text))
                }
            } else {
                result.append(literal: "{{\(name)}}")
            }
        }
        result.append(literal: rest)
        return result
    }

    /// Returns JSON text in which a variable between quotes stays a string, and one without quotes has its type.
    ///
    /// - Returns: The text, and whether an expression outside of quotes may be a string that is inserted as it is.
    static func json(_ text: ImportedText, _ variables: ScriptVariables) -> (text: ImportedText, hasInsertedText: Bool)
    {
        var result = ImportedText()
        var hasInsertedText = false
        var isInString = false
        var isEscaped = false
        for (index, part) in text.parts.enumerated() {
            switch part {
            case .literal(let literal):
                for byte in literal.utf8 {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = isInString
                    } else if byte == UInt8(ascii: "\"") {
                        isInString.toggle()
                    }
                }
                result.append(literal: literal)
            case .expression(let source):
                let kind = DynamicValues.kind(source) ?? variables.kind(source)
                if !isInString {
                    if kind == .string { hasInsertedText = true }
                    result.append(expression: source)
                } else if kind != .string, endsWithQuote(text, before: index), startsWithQuote(text, after: index) {
                    result.append(expression: "string(\(source))")
                } else {
                    result.append(expression: source)
                }
            }
        }
        return (result, hasInsertedText)
    }

    /// Returns a body of text, in which a variable outside of JSON strings has its type.
    static func body(_ text: ImportedText, _ contentType: String?, _ variables: ScriptVariables) -> ImportedBody {
        let (json, hasInsertedText) = json(text, variables)
        let result = ImportedBody(text: json, contentType: contentType, unquoted: hasInsertedText ? .keepText : .value)
        // Outside of JSON, a variable is inserted as it is.
        if case .json = result { return result }
        return ImportedBody(text: text, contentType: contentType)
    }

    private static func endsWithQuote(_ text: ImportedText, before index: Int) -> Bool {
        guard index > 0, case .literal(let literal) = text.parts[index - 1] else { return false }
        return literal.utf8.last == UInt8(ascii: "\"")
    }

    private static func startsWithQuote(_ text: ImportedText, after index: Int) -> Bool {
        guard index + 1 < text.parts.count, case .literal(let literal) = text.parts[index + 1] else { return false }
        return literal.utf8.first == UInt8(ascii: "\"")
    }
}
