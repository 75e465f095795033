/// A renderer of problems as workflow commands, which GitHub Actions displays as file annotations.
public struct GitHubRenderer: DiagnosticRenderer {
    /// Creates a renderer.
    public init() {}

    /// Returns one workflow command per problem, each on its own line.
    public func render(_ diagnostics: [Diagnostic]) -> String {
        var output = ""
        for diagnostic in diagnostics {
            let name =
                switch diagnostic.severity {
                case .error: "error"
                case .warning: "warning"
                case .note: "notice"
                }
            var properties: [(name: String, value: String?)] = []
            if let range = diagnostic.range {
                let last = Self.lastPosition(of: range)
                properties = [
                    ("file", range.file.name), ("line", String(range.start.line)), ("col", String(range.start.column)),
                    ("endLine", String(last.line)), ("endColumn", String(last.column)),
                ]
            }
            properties.append(("title", diagnostic.id))
            output += WorkflowCommand(name: name, properties: properties, message: Self.text(of: diagnostic)).line
        }
        return output
    }

    /// Returns the position of the range's last character, because annotations include their end.
    private static func lastPosition(of range: SourceRange) -> SourcePosition {
        if range.end == range.start { return range.start }
        if range.end.column > 1 { return SourcePosition(line: range.end.line, column: range.end.column - 1) }
        let line = Int(range.end.line) - 1
        let last = range.file.end(ofLine: line).map { Int($0.column) - 1 } ?? 1
        return max(range.start, SourcePosition(line: line, column: max(1, last)))
    }

    private static func text(of diagnostic: Diagnostic) -> String {
        var lines = [diagnostic.message]
        if !diagnostic.label.isEmpty { lines.append(diagnostic.label) }
        for related in diagnostic.related {
            lines.append(related.range.map { "\($0): \(related.message)" } ?? related.message)
        }
        if let suggestion = diagnostic.suggestion { lines.append(suggestion) }
        return lines.joined(separator: "\n")
    }
}

/// A workflow command: a line on standard output that GitHub Actions interprets.
package struct WorkflowCommand {
    /// The name of the command, such as `error`, `warning` or `notice`.
    package var name: String
    /// The properties in order; those without a value are omitted.
    package var properties: [(name: String, value: String?)]
    /// The message of the command.
    package var message: String

    /// Creates a workflow command.
    package init(name: String, properties: [(name: String, value: String?)] = [], message: String) {
        self.name = name
        self.properties = properties
        self.message = message
    }

    /// The line, including its line break; values are escaped so that they cannot end it or start another.
    package var line: String {
        var line = "::" + name
        var separator = " "
        for (name, value) in properties {
            guard let value, !value.isEmpty else { continue }
            line += separator + name + "=" + Self.escaped(value, isProperty: true)
            separator = ","
        }
        return line + "::" + Self.escaped(message, isProperty: false) + "\n"
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where isProperty: result += "%3A"
            case "," where isProperty: result += "%2C"
            case "\t" where !isProperty: result += "\t"
            default:
                // Escape characters that would disturb the terminal or the log.
                if let escape = DisplayWidth.escape(scalar) {
                    result += escape
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
