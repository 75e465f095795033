/// A sentence with places for its subject, `{s}`, and for what was found, `{d|what is said in general}`.
enum ChangePhrase {
    /// The sentence about a subject.
    ///
    /// - Parameter detail: What was found; nil for the sentence in general.
    static func text(_ template: String, subject: String, detail: String?) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            let field = rest[rest.index(after: open)..<close]
            if field == "s" {
                text += subject
            } else if let detail {
                text += detail
            } else if let bar = field.firstIndex(of: "|") {
                text += field[field.index(after: bar)...]
            }
            rest = rest[rest.index(after: close)...]
            // Without a detail, one of the spaces around it is left over.
            if text.hasSuffix(" "), rest.hasPrefix(" ") { rest.removeFirst() }
        }
        text += rest
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
