/// Writes problems as workflow commands, which GitHub Actions shows as annotations of the file.
public struct GitHubRenderer: DiagnosticRenderer {
    /// Creates a renderer.
    public init() {}

    /// One workflow command for each problem, and a line for each.
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

    /// The position of the range's last character, since annotations include their end.
    private static func lastPosition(of range: SourceRange) -> SourcePosition {
        if range.end == range.start { return range.start }
        if range.end.column > 1 { return SourcePosition(line: range.end.line, column: range.end.column - 1) }
        let line = Int(range.end.line) - 1
        let length = range.file.line(line)?.unicodeScalars.count ?? 1
        return max(range.start, SourcePosition(line: line, column: max(1, length)))
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

/// A workflow command: a line on standard output by which a step tells GitHub Actions something.
package struct WorkflowCommand {
    /// The command: `error`, `warning`, `notice`, …
    package var name: String
    /// The properties, in order; those without a value are left out.
    package var properties: [(name: String, value: String?)]
    /// The text.
    package var message: String

    /// Creates a command.
    package init(name: String, properties: [(name: String, value: String?)] = [], message: String) {
        self.name = name
        self.properties = properties
        self.message = message
    }

    /// The line, with its line break; nothing in its values can end it or begin another.
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
                // What would disturb the terminal or the log that shows the line.
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
