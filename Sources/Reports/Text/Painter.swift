/// Colours text with terminal control sequences (ECMA-48 SGR), or leaves it as it is.
struct Painter {
    /// What a piece of text is.
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case failure = "1;31"
        case wrong = "31"
        case success = "32"
        case warning = "33"
        case place = "36"
        case margin = "34"
    }

    /// Whether text is coloured.
    let color: Bool

    /// The text in a style.
    func paint(_ text: String, _ style: Style) -> String {
        color && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A text that was painted, without its styles.
    static func unpainted(_ text: String) -> String {
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
