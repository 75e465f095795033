import Diagnostics

/// Formatting of untrusted text as inert Markdown for GitHub and GitLab.
///
/// Strings from suites and servers go into code spans and fenced blocks. In these, markup, HTML, links, images,
/// mentions, issue references, and emoji have no effect. Escaping alone would not achieve this.
package enum MarkdownText {
    /// Returns a single-line string as a code span, truncated to a length.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of characters to show.
    ///   - inTable: Whether the code span is in a table cell, which a `|` ends even inside a code span.
    package static func code(_ text: String, limit: Int = 300, inTable: Bool = false) -> String {
        let shown = printable(text, limit: limit)
        guard inTable, shown.utf8.contains(UInt8(ascii: "|")) else { return span(shown) }
        // A backslash before the pipe works in most cells, but not after another backslash.
        return shown.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : span(String($0)) }.joined(separator: "&#124;")
    }

    /// Returns a single-line string as HTML, for contexts in which Markdown is not parsed.
    package static func htmlCode(_ text: String, limit: Int = 300) -> String {
        "<code>\(HTMLText.escaped(printable(text, limit: limit)))</code>"
    }

    /// Returns markup as a link to a web page.
    ///
    /// - Parameter url: The URL, as in ``RunOrigin``.
    package static func htmlLink(_ markup: String, to url: String) -> String {
        "<a href=\"\(HTMLText.escaped(url))\">\(markup)</a>"
    }

    /// The title and alignment of a table column.
    package struct Column: ExpressibleByStringLiteral {
        fileprivate let title: String
        fileprivate var rule = "---"

        /// Creates a column without an alignment.
        package init(stringLiteral title: String) { self.title = title }

        private init(_ title: String, rule: String) {
            self.title = title
            self.rule = rule
        }

        /// Returns a left-aligned column.
        package static func left(_ title: String) -> Column { Column(title, rule: ":---") }
        /// Returns a right-aligned column.
        package static func right(_ title: String) -> Column { Column(title, rule: "---:") }
    }

    /// Returns the header row and the delimiter row of a table.
    package static func head(_ columns: Column...) -> String { head(columns) }

    /// Returns the header row and the delimiter row of a table.
    package static func head(_ columns: [Column]) -> String {
        "|" + columns.map { $0.title.isEmpty ? " |" : " \($0.title) |" }.joined() + "\n" + row(columns.map(\.rule))
    }

    /// Returns a table row.
    package static func row(_ cells: String...) -> String { row(cells) }

    /// Returns a table row.
    package static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    /// Returns lines as a fenced code block, truncated at the end of a line.
    ///
    /// - Parameters:
    ///   - text: Lines without control characters. A common indentation of two columns is removed.
    ///   - language: The info string of the opening fence.
    ///   - limit: The maximum number of bytes of the text.
    package static func block(_ text: String, language: String, limit: Int) -> String {
        var lines: [Substring] = []
        var size = 0
        var left = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.hasPrefix("  ") ? line.dropFirst(2) : line
            if left > 0 || size + line.utf8.count + 1 > limit {
                left += 1
                continue
            }
            size += line.utf8.count + 1
            lines.append(line)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        var body = lines.joined(separator: "\n")
        if left > 0 { body += "\n… \(NumberText.count(left, "more line"))" }
        let fence = String(repeating: "`", count: max(3, longestRun(of: UInt8(ascii: "`"), in: body) + 1))
        return "\(fence)\(language)\n\(body)\n\(fence)\n"
    }

    /// Returns a string as a single line without control characters, truncated to a length.
    package static func printable(_ text: String, limit: Int) -> String {
        // An escape has at most ten bytes per character. The rest of the string is not examined.
        let part = text.utf8.count > limit * 4 ? String(text.prefix(limit + 1)) : text
        let shown = DisplayWidth.printable(part)
        return shown.utf8.count > limit && shown.count > limit ? shown.prefix(limit - 1) + "…" : shown
    }

    private static func span(_ text: String) -> String {
        if text.isEmpty { return "` `" }
        let fence = String(repeating: "`", count: longestRun(of: UInt8(ascii: "`"), in: text) + 1)
        // CommonMark strips one space from both ends unless the span consists of spaces only.
        let isPadded =
            text.utf8.first == UInt8(ascii: "`") || text.utf8.last == UInt8(ascii: "`")
            || (text.utf8.first == UInt8(ascii: " ") && text.utf8.last == UInt8(ascii: " ")
                && text.utf8.contains { $0 != UInt8(ascii: " ") })
        return isPadded ? "\(fence) \(text) \(fence)" : fence + text + fence
    }

    private static func longestRun(of byte: UInt8, in text: String) -> Int {
        var maximumLength = 0
        var run = 0
        for next in text.utf8 {
            run = next == byte ? run + 1 : 0
            maximumLength = max(maximumLength, run)
        }
        return maximumLength
    }
}
