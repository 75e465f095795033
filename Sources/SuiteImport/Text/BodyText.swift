import Basics
import JSON

extension ImportedBody {
    /// The treatment of an expression in JSON that stands outside of a string, such as `{"id": ${id}}`.
    package enum UnquotedExpressions: Sendable {
        /// The body stays text, and the value of the expression is inserted into it.
        case keepText
        /// The expression is the value, with its type.
        case value
    }

    /// Creates a body of text, in the most readable form that sends the same.
    ///
    /// A body that would lose something as a JSON value, such as duplicate members, stays text.
    ///
    /// - Parameter contentType: The media type; nil if it is unknown.
    package init(
        text: ImportedText, contentType: String?, unquoted: UnquotedExpressions = .keepText
    ) {
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased()
        let mediaType = String(ASCII.trimmed(type[...]))
        let isJSON = MediaTypes.isJSON(mediaType)
        if let value = Self.json(text, unquoted: unquoted), isJSON || value.isCollection {
            self = .json(value)
        } else if mediaType == "application/x-www-form-urlencoded", let fields = PairList.form(text),
            PairList.mapping(fields) != nil
        {
            self = .form(fields)
        } else if MediaTypes.isXML(mediaType) {
            self = .xml(text)
        } else {
            self = .text(text)
        }
    }

    /// Creates a body of bytes: text if they are UTF-8, otherwise base64.
    package init(bytes: [UInt8], contentType: String?) {
        if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) {
            self.init(text: ImportedText(text), contentType: contentType)
        } else {
            self = .base64(Base64.encode(bytes))
        }
    }

    /// The `Content-Type` that apitest sends with the body unless the request has another one.
    var impliedContentType: String? {
        switch self {
        case .json, .graphQL: "application/json"
        case .text: "text/plain; charset=utf-8"
        case .xml: "application/xml"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: nil
        case .file(let path): MediaTypes.contentType(ofFile: path.template)
        case .base64: "application/octet-stream"
        }
    }

    /// Returns the value of a JSON text, whose expressions are values or parts of strings.
    ///
    /// - Returns: nil if the text is not JSON, or if the value would not have the same meaning.
    package static func json(_ text: ImportedText, unquoted: UnquotedExpressions) -> ImportedValue? {
        guard case .literal(let start)? = text.parts.first ?? .literal(""), let marked = mark(text, unquoted, start)
        else { return nil }
        var parser = JSONParser(duplicateMembers: .reject)
        parser.limits.maximumDepth = ImportLimits.bodyDepth
        guard let value = try? parser.parse(marked) else { return nil }
        let result = ImportedValue(value)
        return text.expressions.isEmpty ? result : result.unmarked(text.expressions)
    }

    /// The character around the number of an expression, from the private use area.
    fileprivate static let mark: Unicode.Scalar = "\u{F8FF}"

    /// Returns a text whose expressions are replaced by their numbers; nil if one is outside of a string.
    private static func mark(_ text: ImportedText, _ unquoted: UnquotedExpressions, _ start: String) -> String? {
        // Most texts are not JSON.
        guard let first = start.utf8.first(where: { !ASCII.isWhitespace($0) }),
            "{[\"-0123456789tfn".utf8.contains(first)
        else { return nil }
        if let literal = text.literal { return literal }
        var result = ""
        var isInString = false
        var isEscaped = false
        var number = 0
        for part in text.parts {
            switch part {
            case .literal(let literal):
                for scalar in literal.unicodeScalars {
                    if scalar == mark { return nil }
                    if isEscaped {
                        isEscaped = false
                    } else if scalar == "\\" {
                        isEscaped = isInString
                    } else if scalar == "\"" {
                        isInString.toggle()
                    }
                }
                result += literal
            case .expression:
                if isEscaped { return nil }
                if !isInString, unquoted == .keepText { return nil }
                let quote = isInString ? "" : "\""
                result += "\(quote)\(mark)\(number)\(mark)\(quote)"
                number += 1
            }
        }
        return result
    }
}

extension ImportedValue {
    /// Whether the value is a sequence or a mapping.
    var isCollection: Bool {
        switch self {
        case .sequence, .mapping: true
        case .text, .plain: false
        }
    }

    /// Returns the value with expressions in place of their marked numbers.
    fileprivate func unmarked(_ expressions: [String]) -> ImportedValue {
        mapTexts { text in
            guard let literal = text.literal, literal.unicodeScalars.contains(ImportedBody.mark) else { return text }
            var result = ImportedText()
            let pieces = literal.unicodeScalars.split(separator: ImportedBody.mark, omittingEmptySubsequences: false)
            for (index, piece) in pieces.enumerated() {
                if index % 2 == 1, let number = Int(String(piece)), expressions.indices.contains(number) {
                    result.append(expression: expressions[number])
                } else {
                    result.append(literal: String(piece))
                }
            }
            return result
        }
    }
}
