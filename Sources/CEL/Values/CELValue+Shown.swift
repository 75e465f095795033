import JSON

extension CELValue: CustomStringConvertible {
    /// The value in the language's own notation, as messages and explanations show it.
    public var description: String { shown }

    var shown: String {
        var text = ""
        show(into: &text, depth: 0)
        return text
    }

    private func show(into text: inout String, depth: Int) {
        guard text.utf8.count < CELLimits.shownLength else {
            if !text.hasSuffix("…") { text += "…" }
            return
        }
        switch self {
        case .string(let value): text += Quoting.quoted(value)
        case .bytes(let bytes): text += "bytes(" + Quoting.quoted(Base64.encode(bytes)) + ")"
        case .uint(let value): text += String(value) + "u"
        case .double(let value):
            text += NumberText.text(of: value)
            if value.magnitude < 1e15, value == value.rounded() { text += ".0" }
        case .timestamp(let value): text += "timestamp(\"" + value.description + "\")"
        case .duration(let value): text += "duration(\"" + value.description + "\")"
        case .list(let list):
            guard depth < CELLimits.shownDepth else {
                text += "[…]"
                return
            }
            text += "["
            for (position, element) in list.elements.enumerated() where text.utf8.count < CELLimits.shownLength {
                if position > 0 { text += ", " }
                element.show(into: &text, depth: depth + 1)
            }
            text += "]"
        case .map(let map):
            guard depth < CELLimits.shownDepth else {
                text += "{…}"
                return
            }
            text += "{"
            for (position, entry) in map.entries.enumerated() where text.utf8.count < CELLimits.shownLength {
                if position > 0 { text += ", " }
                entry.key.show(into: &text, depth: depth + 1)
                text += ": "
                entry.value.show(into: &text, depth: depth + 1)
            }
            text += "}"
        case .optional(let optional):
            guard let value = optional.value else {
                text += "optional.none()"
                return
            }
            text += "optional.of("
            value.show(into: &text, depth: depth + 1)
            text += ")"
        case .null, .bool, .int, .number, .type: text += self.text
        }
    }
}
