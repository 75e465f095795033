import Diagnostics

/// Fits text into the columns of a terminal.
enum TextFitting {
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

    /// Spaces.
    static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
