/// Lines of the console, of which parts can be folded away in the log of a CI service.
struct FoldableText {
    enum Part {
        /// Lines that are always seen.
        case plain(String)
        /// Lines that a title stands for where they are folded; elsewhere the title is not shown.
        case details(title: String, body: String)
        /// A title and the lines below it.
        case section(title: String, body: String, isOpen: Bool)
    }

    private(set) var parts: [Part] = []

    var isEmpty: Bool { parts.isEmpty }

    /// Creates a text of lines that are always seen.
    init(_ lines: String = "") {
        if !lines.isEmpty { parts = [.plain(lines)] }
    }

    /// Appends lines that are always seen.
    static func += (text: inout FoldableText, lines: String) {
        if lines.isEmpty { return }
        if case .plain(let before) = text.parts.last {
            text.parts[text.parts.count - 1] = .plain(before + lines)
        } else {
            text.parts.append(.plain(lines))
        }
    }

    /// Appends another text.
    mutating func append(_ other: FoldableText) {
        for part in other.parts { if case .plain(let lines) = part { self += lines } else { parts.append(part) } }
    }

    /// Appends lines that a title stands for where they are folded.
    mutating func append(details body: String, title: String) {
        if !body.isEmpty { parts.append(.details(title: title, body: body)) }
    }

    /// Appends a title and the lines below it.
    ///
    /// - Parameter isOpen: Whether the lines are seen at once.
    mutating func append(section title: String, body: String, isOpen: Bool) {
        parts.append(.section(title: title, body: body, isOpen: isOpen))
    }

    /// The text where nothing is folded.
    var plain: String {
        var text = ""
        for part in parts {
            switch part {
            case .plain(let lines): text += lines
            case .details(_, let body): text += body
            case .section(let title, let body, _): text += title + "\n" + body
            }
        }
        return text
    }
}
