import Diagnostics

/// A painter that colors text with terminal control sequences (ECMA-48 SGR) if colors are enabled.
package struct Painter {
    /// The role of a piece of text, with its SGR parameters as the raw value.
    package enum Style: String {
        case bold = "1"
        case dim = "2"
        case failure = "1;31"
        case wrong = "31"
        case success = "32"
        case warning = "33"
        case location = "36"
        case margin = "34"
    }

    /// Whether text is colored.
    package let color: Bool

    /// Creates a painter.
    package init(color: Bool) {
        self.color = color
    }

    /// Returns a string in a style, or unchanged if colors are disabled.
    package func paint(_ text: String, _ style: Style) -> String {
        color && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Returns a painted string without its styles.
    package static func unpainted(_ text: String) -> String {
        guard text.utf8.contains(0x1B) else { return text }
        var result = ""
        var rest = text[...]
        while let escape = rest.firstIndex(of: "\u{1B}") {
            result += rest[..<escape]
            rest = rest[escape...].drop { $0 != "m" }.dropFirst()
        }
        return result + rest
    }
}

/// Functions that fit text into terminal columns.
package enum TextFitting {
    /// A width at which nothing is cut.
    ///
    /// Adding real widths to it does not overflow.
    package static let unlimited = Int(Int32.max)

    /// Truncates a printable string to a maximum width in columns.
    ///
    /// An ellipsis marks the cut.
    package static func cut(_ text: String, to width: Int) -> String {
        // A character has at least one byte, and takes up no more columns than its escape has bytes.
        if text.utf8.count <= width, DisplayWidth.of(text) <= width { return text }
        var result = ""
        var used = 0
        var rest = text[...]
        while let character = rest.first {
            let columns = DisplayWidth.of(character)
            if used + columns > width - 1 {
                // The last character may just fit in the column of the ellipsis.
                if used + columns <= width, rest.dropFirst().isEmpty { return text }
                return result + "…"
            }
            used += columns
            result.append(character)
            rest = rest.dropFirst()
        }
        return result
    }

    /// Wraps a string to lines of at most `width` columns, at spaces or within a word that is longer than a line.
    package static func wrap(_ text: String, to width: Int) -> [String] {
        let width = max(10, width)
        if DisplayWidth.of(text) <= width { return [text] }
        var lines: [String] = []
        var line = ""
        var columns = 0
        // The current word, which follows the committed part of the line, and its width in columns.
        var word = ""
        var wordColumns = 0
        for character in text {
            let size = DisplayWidth.of(character)
            if character == " " {
                line += word
                columns += wordColumns
                word = ""
                wordColumns = 0
                if columns >= width {
                    lines.append(trimmed(line))
                    line = ""
                    columns = 0
                } else {
                    line += " "
                    columns += 1
                }
                continue
            }
            if columns + wordColumns + size > width {
                if columns > 0, wordColumns + size <= width {
                    let whole = trimmed(line)
                    if !whole.isEmpty { lines.append(whole) }
                    line = ""
                } else {
                    lines.append(line + word)
                    line = ""
                    word = ""
                    wordColumns = 0
                }
                columns = 0
            }
            word.append(character)
            wordColumns += size
        }
        line += word
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Returns the lines of a string without terminal control characters.
    package static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayWidth.printable(String($0)) }
    }

    /// Returns a string of spaces.
    package static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
