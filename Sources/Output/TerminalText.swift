import Diagnostics

/// Colors text with terminal control sequences (ECMA-48 SGR), or leaves it as it is.
package struct Painter {
    /// What a piece of text is.
    package enum Style: String {
        case bold = "1"
        case dim = "2"
        case failure = "1;31"
        case wrong = "31"
        case success = "32"
        case warning = "33"
        case place = "36"
        case margin = "34"
    }

    /// Whether text is colored.
    package let color: Bool

    /// Creates a painter.
    package init(color: Bool) {
        self.color = color
    }

    /// The text in a style.
    package func paint(_ text: String, _ style: Style) -> String {
        color && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A text that was painted, without its styles.
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

/// Fits text into the columns of a terminal.
package enum TextFitting {
    /// A width at which nothing is cut; sums of it and of real widths do not overflow.
    package static let unlimited = Int(Int32.max)

    /// A printable text that takes at most `width` columns, with an ellipsis where it was cut.
    package static func cut(_ text: String, to width: Int) -> String {
        // No character takes less than a byte or more columns than an escape of it has bytes.
        if text.utf8.count <= width, DisplayWidth.of(text) <= width { return text }
        var result = ""
        var used = 0
        var rest = text[...]
        while let character = rest.first {
            let columns = DisplayWidth.of(character)
            if used + columns > width - 1 {
                // What is left may just fit where the ellipsis would go.
                if used + columns <= width, rest.dropFirst().isEmpty { return text }
                return result + "…"
            }
            used += columns
            result.append(character)
            rest = rest.dropFirst()
        }
        return result
    }

    /// A text in lines of at most `width` columns, broken at spaces, and inside of words that are longer than a line.
    package static func wrap(_ text: String, to width: Int) -> [String] {
        let width = max(10, width)
        if DisplayWidth.of(text) <= width { return [text] }
        var lines: [String] = []
        var line = ""
        var columns = 0
        // The word that is read, behind what is already certain of the line, and its columns.
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

    /// The lines of a text, without what would drive a terminal.
    package static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayWidth.printable(String($0)) }
    }

    /// Spaces.
    package static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
