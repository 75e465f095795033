import Diagnostics

/// A line of a suite in three parts: what stands before the marked one, the marked one, and what stands behind it.
struct HTMLMarkedLine {
    let number: Int
    let before: String
    let marked: String
    let behind: String

    /// The columns that the line may take.
    private static let width = 160

    /// Creates a line, or nil when the range's line is not in its file.
    init?(_ range: SourceRange) {
        guard let excerpt = SourceExcerpt(range, width: Self.width) else { return nil }
        number = excerpt.lineNumber
        var parts = ["", "", ""]
        var column = 0
        for character in excerpt.text {
            let part =
                column < excerpt.underlineStart
                ? 0 : column < excerpt.underlineStart + excerpt.underlineWidth ? 1 : 2
            parts[part].append(character)
            column += DisplayWidth.of(character)
        }
        before = parts[0]
        marked = parts[1]
        behind = parts[2]
    }
}
