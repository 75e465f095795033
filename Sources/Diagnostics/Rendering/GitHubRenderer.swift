/// Writes problems as workflow commands, which GitHub Actions shows as annotations of the file.
public struct GitHubRenderer: DiagnosticRenderer {
    /// Creates a renderer.
    public init() {}

    /// One workflow command for each problem, and a line for each.
    public func render(_ diagnostics: [Diagnostic]) -> String {
        var output = ""
        for diagnostic in diagnostics {
            switch diagnostic.severity {
            case .error: output += "::error "
            case .warning: output += "::warning "
            case .note: output += "::notice "
            }
            if let range = diagnostic.range {
                let last = Self.lastPosition(of: range)
                output += "file=" + Self.escaped(range.file.name, isProperty: true)
                output += ",line=\(range.start.line),col=\(range.start.column)"
                output += ",endLine=\(last.line),endColumn=\(last.column),"
            }
            output += "title=" + Self.escaped(diagnostic.id, isProperty: true)
            output += "::" + Self.escaped(Self.text(of: diagnostic), isProperty: false) + "\n"
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

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where isProperty: result += "%3A"
            case "," where isProperty: result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
