import JSON

extension CELValue: CustomStringConvertible {
    /// The value in the language's own notation, as messages and explanations show it.
    public var description: String { shown }

    var shown: String {
        var text = ""
        show(into: &text, depth: 0, limit: CELLimits.shownLength)
        return text
    }

    /// The value as messages and notes show it: long ones are cut.
    var brief: String { brief(CELLimits.briefLength) }

    /// The value in the language's notation, cut after a number of characters; the work is bounded by that number.
    func brief(_ length: Int) -> String {
        var text = ""
        if case .string(let value) = self {
            text = Quoting.quoted(String(String.UnicodeScalarView(value.unicodeScalars.prefix(length + 1))))
        } else {
            show(into: &text, depth: 0, limit: length * 4)
        }
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    private func show(into text: inout String, depth: Int, limit: Int) {
        guard text.utf8.count < limit else {
            if !text.hasSuffix("…") { text += "…" }
            return
        }
        switch self {
        case .string(let value):
            guard value.utf8.count > limit else {
                text += Quoting.quoted(value)
                return
            }
            let start = Quoting.quoted(String(String.UnicodeScalarView(value.unicodeScalars.prefix(limit))))
            text += start.dropLast() + "…\""
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
            for position in 0..<list.count {
                if position > 0 { text += ", " }
                guard text.utf8.count < limit, let element = list[position] else {
                    text += "…"
                    break
                }
                element.show(into: &text, depth: depth + 1, limit: limit)
            }
            text += "]"
        case .map(let map):
            guard depth < CELLimits.shownDepth else {
                text += "{…}"
                return
            }
            text += "{"
            for (position, entry) in map.entries.enumerated() {
                if position > 0 { text += ", " }
                guard text.utf8.count < limit else {
                    text += "…"
                    break
                }
                entry.key.show(into: &text, depth: depth + 1, limit: limit)
                text += ": "
                entry.value.show(into: &text, depth: depth + 1, limit: limit)
            }
            text += "}"
        case .optional(let optional):
            guard let value = optional.value else {
                text += "optional.none()"
                return
            }
            text += "optional.of("
            value.show(into: &text, depth: depth + 1, limit: limit)
            text += ")"
        case .null, .bool, .int, .number, .type: text += self.text
        }
    }
}
