/// A renderer of problems as text.
public protocol DiagnosticRenderer: Sendable {
    /// Returns the text of problems in the given order; every line ends with a line feed.
    func render(_ diagnostics: [Diagnostic]) -> String
}

/// A renderer of problems for people: the message, the source line, and an underline.
///
/// ```
/// bookshop.yaml:24:9: error: unknown key "metod" [unknown-key]
///    24 │       metod: POST
///       │       ^^^^^ did you mean "method"?
/// ```
public struct TextRenderer: DiagnosticRenderer {
    /// Whether the text is colored with terminal control sequences (ECMA-48 SGR).
    public let color: Bool
    /// The maximum number of columns of an excerpt, including its margin.
    public let width: Int

    private enum Style: String {
        case bold = "1"
        case dim = "2"
        case error = "1;31"
        case warning = "1;33"
        case note = "1;36"
        case margin = "34"
    }

    /// The minimum number of columns for line numbers.
    private static let numberWidth = 5

    /// Creates a renderer.
    ///
    /// - Parameters:
    ///   - color: Whether to color the text with terminal control sequences.
    ///   - width: The maximum number of columns of an excerpt, including its margin.
    public init(color: Bool, width: Int = 120) {
        self.color = color
        self.width = width
    }

    /// Returns the text of problems, separated by empty lines.
    public func render(_ diagnostics: [Diagnostic]) -> String {
        var output = ""
        for (index, diagnostic) in diagnostics.enumerated() {
            if index > 0 { output += "\n" }
            render(diagnostic, into: &output)
        }
        return output
    }

    private func render(_ diagnostic: Diagnostic, into output: inout String) {
        let margin = ([diagnostic.range] + diagnostic.related.map(\.range)).reduce(Self.numberWidth) { width, range in
            max(width, String(range?.start.line ?? 0).utf8.count)
        }
        writeHeader(
            diagnostic.severity, diagnostic.message, id: diagnostic.id, range: diagnostic.range, into: &output)
        var isSuggestionShown = false
        if let range = diagnostic.range {
            var words = diagnostic.label
            if words.isEmpty, let suggestion = diagnostic.suggestion {
                words = suggestion
                isSuggestionShown = true
            }
            let isShown = writeExcerpt(range, words, diagnostic.severity, margin: margin, into: &output)
            if !isShown { isSuggestionShown = false }
        }
        for related in diagnostic.related {
            if let range = related.range {
                writeHeader(.note, related.message, id: nil, range: range, into: &output)
                writeExcerpt(range, "", .note, margin: margin, into: &output)
            } else {
                writeNote("note", related.message, margin: margin, into: &output)
            }
        }
        if let suggestion = diagnostic.suggestion, !isSuggestionShown {
            writeNote("help", suggestion, margin: margin, into: &output)
        }
    }

    private func writeHeader(
        _ severity: Severity, _ message: String, id: String?, range: SourceRange?, into output: inout String
    ) {
        if let range { output += styled(DisplayWidth.printable(range.description) + ":", .bold) + " " }
        output += styled(severity.rawValue + ":", style(of: severity)) + " "
        output += styled(DisplayWidth.printable(message), .bold)
        if let id { output += " " + styled("[" + DisplayWidth.printable(id) + "]", .dim) }
        output += "\n"
    }

    @discardableResult
    private func writeExcerpt(
        _ range: SourceRange, _ words: String, _ severity: Severity, margin: Int, into output: inout String
    ) -> Bool {
        guard let excerpt = SourceExcerpt(range, width: width - margin - 3) else { return false }
        let number = String(excerpt.lineNumber)
        let indent = String(repeating: " ", count: margin - number.utf8.count)
        output += styled(indent + number + " │", .margin)
        output += excerpt.text.isEmpty ? "\n" : " " + excerpt.text + "\n"
        let emptyMargin = styled(String(repeating: " ", count: margin) + " │", .margin) + " "
        let before = String(repeating: " ", count: excerpt.underlineStart)
        output += emptyMargin + before
        let lines = words.split(separator: "\n", omittingEmptySubsequences: false).map {
            DisplayWidth.printable(String($0))
        }
        let carets = String(repeating: "^", count: excerpt.underlineWidth)
        let first = lines.first ?? ""
        output += styled(first.isEmpty ? carets : carets + " " + first, style(of: severity)) + "\n"
        for line in lines.dropFirst() {
            let indent = before + String(repeating: " ", count: excerpt.underlineWidth + 1)
            output += emptyMargin + indent + styled(line, style(of: severity)) + "\n"
        }
        return true
    }

    private func writeNote(_ kind: String, _ words: String, margin: Int, into output: inout String) {
        let lines = words.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            output += String(repeating: " ", count: margin + 1)
            let text = DisplayWidth.printable(String(line))
            if index == 0 {
                output += styled("=", .margin) + " " + styled(kind + ":", .note) + " " + text + "\n"
            } else {
                output += String(repeating: " ", count: kind.utf8.count + 4) + text + "\n"
            }
        }
    }

    private func style(of severity: Severity) -> Style {
        switch severity {
        case .error: .error
        case .warning: .warning
        case .note: .note
        }
    }

    private func styled(_ text: String, _ style: Style) -> String {
        color ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
