/// A renderer of problems as a JSON array of objects, for other programs.
///
/// Every object has `id`, `severity` and `message`, followed by `file`, `start`, `end`, `label`, `related` and
/// `suggestion` if the problem has them. `start` and `end` are objects with `line` and `column`, counted from 1 in
/// Unicode scalars; `end` is after the last character.
public struct JSONRenderer: DiagnosticRenderer {
    /// Creates a renderer.
    public init() {}

    /// Returns the array, with one problem per line.
    public func render(_ diagnostics: [Diagnostic]) -> String {
        if diagnostics.isEmpty { return "[]\n" }
        return "[\n" + diagnostics.map { "  " + Self.object($0) }.joined(separator: ",\n") + "\n]\n"
    }

    private static func object(_ diagnostic: Diagnostic) -> String {
        var members = [
            "\"id\":" + quoted(diagnostic.id), "\"severity\":" + quoted(diagnostic.severity.rawValue),
            "\"message\":" + quoted(diagnostic.message),
        ]
        if let range = diagnostic.range { members += location(range) }
        if !diagnostic.label.isEmpty { members.append("\"label\":" + quoted(diagnostic.label)) }
        if !diagnostic.related.isEmpty {
            let objects = diagnostic.related.map { related in
                let parts = ["\"message\":" + quoted(related.message)] + (related.range.map(location) ?? [])
                return "{" + parts.joined(separator: ",") + "}"
            }
            members.append("\"related\":[" + objects.joined(separator: ",") + "]")
        }
        if let suggestion = diagnostic.suggestion { members.append("\"suggestion\":" + quoted(suggestion)) }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func location(_ range: SourceRange) -> [String] {
        [
            "\"file\":" + quoted(range.file.name), "\"start\":" + position(range.start),
            "\"end\":" + position(range.end),
        ]
    }

    private static func position(_ position: SourcePosition) -> String {
        "{\"line\":\(position.line),\"column\":\(position.column)}"
    }

    /// Returns a JSON string (RFC 8259, section 7).
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
