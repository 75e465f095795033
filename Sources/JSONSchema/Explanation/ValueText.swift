import JSON

/// How values are spelled in messages.
enum ValueText {
    /// The most Unicode scalars of a value that a message shows.
    private static let limit = 72

    /// A value with its type: `"Dune" (string)`, `42 (integer)`, `[1,2] (array)`; long values are cut.
    static func typed(_ value: JSONValue) -> String { typed(value, named: value.typeName) }

    /// A value with a type of the given name; long values are cut.
    static func typed(_ value: JSONValue, named type: String) -> String {
        var brief = BriefText(room: limit)
        brief.write(value)
        switch value {
        case .null: return "null"
        case .string(let text) where brief.isCut:
            return "\(brief.text)\" (\(type), \(count(text.unicodeScalars.count, "character")))"
        case .array(let elements) where brief.isCut:
            return "\(brief.text) (\(type), \(count(elements.count, "element")))"
        case .object(let members) where brief.isCut:
            return "\(brief.text) (\(type), \(count(members.count, "member")))"
        default: return "\(brief.text) (\(type))"
        }
    }

    /// A value without its type; long values are cut.
    static func plain(_ value: JSONValue, limit: Int = limit) -> String {
        var brief = BriefText(room: limit)
        brief.write(value)
        return brief.text
    }

    /// Text in quotation marks; long text is cut.
    static func quoted(_ text: String) -> String { plain(.string(text)) }

    /// The value when it is small enough to be kept in a result, or nil.
    static func kept(_ value: JSONValue) -> JSONValue? {
        var brief = BriefText(room: 500)
        brief.write(value)
        return brief.isCut ? nil : value
    }

    /// A number of things: `1 element`, `2 elements`.
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Things joined as a sentence does: `a`, `a or b`, `a, b or c`.
    static func list(_ items: [String], _ conjunction: String = "or") -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// Names in quotation marks, at most eight of them.
    static func names(_ names: some Collection<String>) -> String {
        let shown = names.prefix(8).map { plain(.string($0), limit: 42) }.joined(separator: ", ")
        return names.count > 8 ? "\(shown), … (\(names.count) in all)" : shown
    }
}
