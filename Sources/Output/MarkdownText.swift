import Diagnostics

/// Text from outside as Markdown (GitHub's and GitLab's) that shows it and does nothing else.
///
/// What a suite or a server says goes into code spans and fenced blocks: there neither markup, HTML, links and images
/// nor mentions, references to issues and emoji mean anything, which escapes alone would not achieve.
package enum MarkdownText {
    /// A text in one line as a code span, cut to a length.
    ///
    /// - Parameters:
    ///   - limit: The most characters that are shown.
    ///   - inTable: Whether the text stands in the cell of a table, which a `|` would end, code span or not.
    package static func code(_ text: String, limit: Int = 300, inTable: Bool = false) -> String {
        let shown = printable(text, limit: limit)
        guard inTable, shown.utf8.contains(UInt8(ascii: "|")) else { return span(shown) }
        // A backslash before the pipe would do in most cells, but not in one with another backslash before it.
        return shown.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : span(String($0)) }.joined(separator: "&#124;")
    }

    /// A text in one line as HTML, for places in which Markdown is not read.
    package static func htmlCode(_ text: String, limit: Int = 300) -> String {
        "<code>\(HTMLText.escaped(printable(text, limit: limit)))</code>"
    }

    /// Markup that leads to a web page.
    ///
    /// - Parameter url: The URL, as ``RunOrigin`` has it.
    package static func htmlLink(_ markup: String, to url: String) -> String {
        "<a href=\"\(HTMLText.escaped(url))\">\(markup)</a>"
    }

    /// A row of a table.
    package static func row(_ cells: String...) -> String { row(cells) }

    /// A row of a table.
    package static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    /// Lines as a fenced code block, cut to a size at the end of a line.
    ///
    /// - Parameters:
    ///   - text: Lines without control characters; their common indentation of two columns is left out.
    ///   - language: The word behind the opening fence.
    ///   - limit: The most bytes of the text.
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

    /// A text in one line without control characters, cut to a length.
    package static func printable(_ text: String, limit: Int) -> String {
        // No character takes more than an escape of ten bytes; what is cut off is not looked at.
        let part = text.utf8.count > limit * 4 ? String(text.prefix(limit + 1)) : text
        let shown = DisplayWidth.printable(part)
        return shown.utf8.count > limit && shown.count > limit ? shown.prefix(limit - 1) + "…" : shown
    }

    private static func span(_ text: String) -> String {
        if text.isEmpty { return "` `" }
        let fence = String(repeating: "`", count: longestRun(of: UInt8(ascii: "`"), in: text) + 1)
        // One space at both ends is taken away, unless there is nothing else.
        let isPadded =
            text.utf8.first == UInt8(ascii: "`") || text.utf8.last == UInt8(ascii: "`")
            || (text.utf8.first == UInt8(ascii: " ") && text.utf8.last == UInt8(ascii: " ")
                && text.utf8.contains { $0 != UInt8(ascii: " ") })
        return isPadded ? "\(fence) \(text) \(fence)" : fence + text + fence
    }

    private static func longestRun(of byte: UInt8, in text: String) -> Int {
        var longest = 0
        var run = 0
        for next in text.utf8 {
            run = next == byte ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
