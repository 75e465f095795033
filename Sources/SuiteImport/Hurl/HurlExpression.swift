import Basics
import CEL
import RegularExpressions

/// A value of a Hurl file as a CEL expression.
struct HurlExpression {
    /// The type of the value, as far as it is known.
    enum ValueType {
        case any, string, number, bytes, date, list
    }

    /// The source of the expression, which binds at least as tightly as a call.
    var source: String
    var type: ValueType = .any

    /// Returns the value after a filter; nil if the filter has no equivalent.
    func applying(_ filter: HurlFilter, _ scope: inout HurlScope) -> HurlExpression? {
        let arguments = filter.arguments
        func text(_ index: Int) -> String? {
            guard arguments.indices.contains(index), case .string(let text) = arguments[index] else { return nil }
            return scope.text(text).concatenation
        }
        switch filter.name {
        case "base64Decode": return HurlExpression(source: "base64.decode(\(source))", type: .bytes)
        case "base64Encode": return HurlExpression(source: "base64.encode(\(source))", type: .string)
        case "base64UrlSafeDecode": return HurlExpression(source: "base64url.decode(\(source))", type: .bytes)
        case "base64UrlSafeEncode": return HurlExpression(source: "base64url.encode(\(source))", type: .string)
        case "toHex": return HurlExpression(source: "hex.encode(\(source))", type: .string)
        case "count": return HurlExpression(source: "size(\(source))", type: .number)
        case "first": return HurlExpression(source: "\(source)[0]")
        case "last": return HurlExpression(source: "\(source).last().value()")
        case "nth":
            guard case .number(let number)? = arguments.first, let index = Int(number) else { return nil }
            return HurlExpression(
                source: index >= 0 ? "\(source)[\(index)]" : "\(source).reverse()[\(-1 - index)]")
        case "htmlEscape":
            // Hurl keeps quotes.
            return HurlExpression(
                source: "\(source).replace(\"&\", \"&amp;\").replace(\"<\", \"&lt;\").replace(\">\", \"&gt;\")",
                type: .string)
        case "htmlUnescape": return HurlExpression(source: "html.unescape(\(source))", type: .string)
        case "urlEncode":
            return HurlExpression(source: "url.encode(\(source)).replace(\"%2F\", \"/\")", type: .string)
        case "urlDecode": return HurlExpression(source: "url.decode(\(source))", type: .string)
        case "urlQueryParam":
            guard let name = text(0) else { return nil }
            return HurlExpression(source: "url.parse(\(source)).parameters[\(name)][0]", type: .string)
        case "jsonpath":
            guard case .string(let path)? = arguments.first else { return nil }
            return scope.jsonPath(path, of: type == .string ? "json.parse(\(source))" : source)
        case "regex":
            guard let pattern = scope.pattern(arguments.first) else { return nil }
            return HurlExpression(source: "regex.extract(\(source), \(pattern)).value()", type: .string)
        case "replace":
            guard let old = text(0), let new = text(1) else { return nil }
            return HurlExpression(source: "\(source).replace(\(old), \(new))", type: .string)
        case "replaceRegex":
            guard let pattern = scope.pattern(arguments.first), let new = text(1), !new.contains("$") else {
                return nil
            }
            return HurlExpression(source: "regex.replace(\(source), \(pattern), \(new))", type: .string)
        case "split":
            guard let separator = text(0) else { return nil }
            return HurlExpression(source: "\(source).split(\(separator))", type: .list)
        case "toFloat": return HurlExpression(source: "double(\(source))", type: .number)
        case "toInt": return HurlExpression(source: "int(\(source))", type: .number)
        case "toString", "utf8Decode": return HurlExpression(source: "string(\(source))", type: .string)
        case "utf8Encode": return HurlExpression(source: "bytes(\(source))", type: .bytes)
        case "decode", "charsetDecode":
            guard case .string(let name)? = arguments.first, name.literal?.lowercased() == "utf-8" else { return nil }
            return HurlExpression(source: "string(\(source))", type: .string)
        case "toDate":
            guard case .string(let format)? = arguments.first, let format = format.literal else { return nil }
            if format == "%+" { return HurlExpression(source: "timestamp(\(source))", type: .date) }
            guard let pattern = Self.datePattern(format) else { return nil }
            return HurlExpression(
                source: "date.parse(\(source), \(CELExpression.literal(pattern)))", type: .date)
        case "format", "dateFormat":
            guard case .string(let format)? = arguments.first, let format = format.literal,
                let pattern = Self.datePattern(format)
            else { return nil }
            return HurlExpression(
                source: "date.format(\(source), \(CELExpression.literal(pattern)))", type: .string)
        case "daysAfterNow": return HurlExpression(source: "int((\(source) - now()).getHours() / 24)", type: .number)
        case "daysBeforeNow": return HurlExpression(source: "int((now() - \(source)).getHours() / 24)", type: .number)
        default: return nil
        }
    }

    // MARK: Dates

    /// The directives of `strftime` with the letters of a pattern of the suite language.
    private static let directives: [Character: String] = [
        "Y": "yyyy", "y": "yy", "m": "MM", "d": "dd", "H": "HH", "I": "hh", "p": "a", "M": "mm", "S": "ss", "j": "DDD",
        "a": "EEE", "A": "EEEE", "b": "MMM", "h": "MMM", "B": "MMMM", "z": "Z", "u": "e", "F": "yyyy-MM-dd",
        "T": "HH:mm:ss", "R": "HH:mm", "D": "MM/dd/yy", "f": "SSSSSSSSS",
    ]

    /// Returns the pattern for a format of `strftime`; nil if it has a directive without an equivalent.
    static func datePattern(_ format: String) -> String? {
        var pattern = ""
        var quoted = ""
        func flush() {
            if !quoted.isEmpty { pattern += "'\(quoted)'" }
            quoted = ""
        }
        var rest = format[...]
        while let character = rest.popFirst() {
            if character == "%" {
                if rest.hasPrefix(".3f") {
                    flush()
                    pattern += ".SSS"
                    rest = rest.dropFirst(3)
                    continue
                }
                guard let directive = rest.popFirst(), let letters = directives[directive] else { return nil }
                flush()
                pattern += letters
            } else if character.isLetter {
                quoted.append(character)
            } else if character == "'" {
                return nil
            } else {
                flush()
                pattern.append(character)
            }
        }
        flush()
        return pattern
    }
}
