import JSON

/// Where two texts differ, as the lines that are gone and those that came.
struct LineDifference {
    /// The most lines of either text that are shown.
    private static let limit = 10
    /// The most Unicode scalars of a line that are shown.
    private static let width = 160

    /// The number of the first line that differs, from 1.
    let line: Int
    /// One sentence.
    let message: String
    /// The lines that are gone, and those that came.
    let details: [String]

    /// Compares two texts that differ.
    init(expected: String, actual: String) {
        let old = Self.lines(of: expected)
        let new = Self.lines(of: actual)
        var start = 0
        while start < min(old.count, new.count), old[start].utf8.elementsEqual(new[start].utf8) { start += 1 }
        var end = 0
        while end < min(old.count, new.count) - start,
            old[old.count - 1 - end].utf8.elementsEqual(new[new.count - 1 - end].utf8)
        {
            end += 1
        }
        let removed = old[start..<(old.count - end)]
        let added = new[start..<(new.count - end)]
        line = start + 1
        if removed.count == 1, added.count == 1, let gone = removed.first, let came = added.first {
            message = "line \(line): \(TextDifference.message(expected: String(gone), actual: String(came)))"
            details = []
        } else {
            message = "the text differs from line \(line) on"
            details = Self.shown(removed, "- ") + Self.shown(added, "+ ")
        }
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func shown(_ lines: ArraySlice<Substring>, _ mark: String) -> [String] {
        var shown = lines.prefix(limit).map { line in
            let scalars = line.unicodeScalars
            return mark + BriefWriter.visible(scalars.prefix(width)) + (scalars.dropFirst(width).isEmpty ? "" : "…")
        }
        if lines.count > limit {
            shown.append("\(mark)… and \(ValueDescription.count(lines.count - limit, "more line"))")
        }
        return shown
    }
}
