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
