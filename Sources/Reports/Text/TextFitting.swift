import Diagnostics
import SuiteModel

/// Fits text into the columns of a terminal.
enum TextFitting {
    /// A width at which nothing is cut; sums of it and of real widths do not overflow.
    static let unlimited = Int(Int32.max)

    /// A printable text that takes at most `width` columns, with an ellipsis where it was cut.
    static func cut(_ text: String, to width: Int) -> String {
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
    static func wrap(_ text: String, to width: Int) -> [String] {
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

    /// Spaces.
    static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

extension Annotations {
    /// Lines of a description that reports of lines show.
    private static let maximumLines = 10

    /// The first lines of the description, without empty ones and without characters that would disturb a terminal.
    var descriptionLines: [String] {
        let lines = (description ?? "").split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        let shown = lines.prefix(Self.maximumLines).map { DisplayWidth.printable(String($0)) }
        return lines.count > shown.count ? shown + ["…"] : shown
    }
}
