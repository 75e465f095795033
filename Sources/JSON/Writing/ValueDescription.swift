/// How values are spelled in messages.
package enum ValueDescription {
    /// The most Unicode scalars of a value that a message shows.
    package static let limit = 72

    /// A value with its type: `"Dune" (string)`, `42 (integer)`, `[1,2] (array)`; long values are cut.
    package static func typed(_ value: JSONValue) -> String { typed(value, named: value.typeName) }

    /// A value with a type of the given name; long values are cut.
    package static func typed(_ value: JSONValue, named type: String) -> String {
        var writer = BriefWriter(room: limit)
        writer.write(value)
        switch value {
        case .null: return "null"
        case .string(let text) where writer.isCut:
            return "\(writer.text)\" (\(type), \(text.unicodeScalars.count) characters)"
        case .array(let elements) where writer.isCut:
            return "\(writer.text) (\(type), \(count(elements.count, "element")))"
        case .object(let members) where writer.isCut:
            return "\(writer.text) (\(type), \(count(members.count, "member")))"
        default: return "\(writer.text) (\(type))"
        }
    }

    /// A value without its type; long values are cut.
    package static func plain(_ value: JSONValue, limit: Int = limit) -> String {
        var writer = BriefWriter(room: limit)
        writer.write(value)
        return writer.text
    }

    /// Text in quotation marks; long text is cut.
    package static func quoted(_ text: String) -> String { plain(.string(text)) }

    /// Text in quotation marks, of which the end is shown when it is long.
    package static func quotedEnd(_ text: String) -> String {
        guard isCut(text) else { return quoted(text) }
        return "\"…" + BriefWriter.escaped(Array(text.unicodeScalars.suffix(limit))) + "\""
    }

    /// A text with its type, of which the end is shown when it is long.
    package static func typedEnd(_ text: String) -> String {
        guard isCut(text) else { return typed(.string(text)) }
        return quotedEnd(text) + " (string, \(text.unicodeScalars.count) characters)"
    }

    /// Whether a text is too long to be shown as a whole.
    package static func isCut(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let index = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex) else {
            return false
        }
        return index < scalars.endIndex
    }

    /// The value when it is small enough to be kept in a result, or nil.
    package static func kept(_ value: JSONValue) -> JSONValue? { kept(value, room: 2_000) }

    /// The value when it is small enough to be kept in a result, or nil: a body must not outlive its checks.
    ///
    /// - Parameter room: The most Unicode scalars that the value may take as JSON text.
    package static func kept(_ value: JSONValue, room: Int) -> JSONValue? {
        var writer = BriefWriter(room: room)
        writer.write(value)
        if writer.isCut { return nil }
        return value
    }

    /// A number of things: `1 element`, `2 elements`.
    package static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Things joined as a sentence does: `a`, `a or b`, `a, b or c`.
    package static func list(_ items: [String], _ conjunction: String = "or") -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// Names for a hint, at most eight of them.
    package static func names(_ names: some Collection<String>) -> String {
        let shown = names.prefix(8).map { plain(.string($0), limit: 40) }.joined(separator: ", ")
        return names.count > 8 ? "\(shown), … (\(names.count) in all)" : shown
    }
}
