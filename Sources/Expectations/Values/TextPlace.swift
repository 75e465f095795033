/// A place in a text, for messages: `character 5`, or in a later line `line 2, column 3`; both count from 1.
struct TextPlace: CustomStringConvertible {
    /// How many Unicode scalars stand before the place.
    private(set) var offset = 0
    /// The line, from 1.
    private(set) var line = 1
    /// The column in Unicode scalars, from 1.
    private(set) var column = 1

    /// The beginning of a text.
    init() {}

    /// The place behind so many bytes of UTF-8.
    init(utf8Offset: Int, in text: String) {
        let end = text.utf8.index(text.utf8.startIndex, offsetBy: utf8Offset, limitedBy: text.utf8.endIndex)
        for scalar in text.unicodeScalars[..<(end ?? text.endIndex)] { advance(past: scalar) }
    }

    /// Goes to the place behind a scalar.
    mutating func advance(past scalar: Unicode.Scalar) {
        offset += 1
        column += 1
        if scalar == "\n" {
            line += 1
            column = 1
        }
    }

    var description: String { line > 1 ? "line \(line), column \(column)" : "character \(offset + 1)" }

    /// The text from behind so many bytes of UTF-8 on.
    static func text(of text: String, from utf8Offset: Int) -> String {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: utf8Offset, limitedBy: text.utf8.endIndex)
        return String(text[(start ?? text.endIndex)...])
    }
}
