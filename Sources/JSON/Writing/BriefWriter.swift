package import Basics

/// A writer of JSON text for people, with bounded length and visible control characters.
///
/// The work is bounded by the available room, not by the size of the value.
package struct BriefWriter {
    /// The text written so far.
    package private(set) var text = ""
    /// Whether text was cut because it did not fit.
    package private(set) var isCut = false
    /// The number of Unicode scalars that still fit.
    private var room: Int

    /// Creates a writer with a maximum length in Unicode scalars.
    package init(room: Int) {
        self.room = room
    }

    /// Appends a value.
    package mutating func write(_ value: JSONValue) {
        guard !isCut else { return }
        switch value {
        case .null: append("null")
        case .bool(let flag): append(flag ? "true" : "false")
        case .number(let number): append(number.literal)
        case .string(let string): write(string)
        case .array(let elements):
            append("[")
            for (index, element) in elements.enumerated() {
                if isCut { return }
                if index > 0 { append(",") }
                write(element)
            }
            append("]")
        case .object(let members):
            append("{")
            for (index, member) in members.enumerated() {
                if isCut { return }
                if index > 0 { append(",") }
                write(member.key)
                append(":")
                write(member.value)
            }
            append("}")
        }
    }

    /// Appends a string in quotation marks.
    private mutating func write(_ string: String) {
        append("\"")
        for scalar in string.unicodeScalars {
            if isCut { return }
            if let escape = BriefWriter.escape(scalar) { append(escape) } else { append(scalar) }
        }
        append("\"")
    }

    private mutating func append(_ piece: String) {
        for scalar in piece.unicodeScalars {
            if isCut { return }
            append(scalar)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        guard room > 0 else {
            if !isCut { text += "…" }
            isCut = true
            return
        }
        room -= 1
        text.unicodeScalars.append(scalar)
    }

    /// Escapes all scalars that a terminal or a reader could misinterpret.
    package static func escaped(_ text: some Sequence<Unicode.Scalar>) -> String {
        var result = ""
        for scalar in text {
            if let escape = escape(scalar) { result += escape } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// Escapes all scalars in markup that are not displayed unchanged; quotation marks and backslashes are kept.
    package static func escapedMarkup(_ text: some Sequence<Unicode.Scalar>) -> String {
        var result = ""
        for scalar in text {
            if scalar != "\"", scalar != "\\", let escape = escape(scalar) {
                result += escape
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Substitutes one replacement character for each scalar that is not displayed unchanged, so columns are preserved.
    package static func visible(_ text: some Sequence<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text {
            let isShown = scalar == "\"" || scalar == "\\" || escape(scalar) == nil
            result.append(isShown ? scalar : scalar == "\t" ? " " : "\u{FFFD}")
        }
        return String(result)
    }

    /// Returns the escape of a scalar that is not displayed unchanged: as in JSON, and for controls, bidi marks and odd
    /// spaces.
    private static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x22: return "\\\""
        case 0x5C: return "\\\\"
        case 0x08: return "\\b"
        case 0x09: return "\\t"
        case 0x0A: return "\\n"
        case 0x0C: return "\\f"
        case 0x0D: return "\\r"
        case 0x00..<0x20, 0x7F...0xA0, 0xAD, 0x061C, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x2069, 0xFEFF:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        default: return nil
        }
    }
}

/// The format of values in messages.
package enum ValueDescription {
    /// The maximum number of Unicode scalars of a value in a message.
    package static let limit = 72

    /// Returns a value with its type: `"Dune" (string)`, `42 (integer)`, `[1,2] (array)`; long values are cut.
    package static func typed(_ value: JSONValue) -> MessageText { typed(value, named: value.typeName) }

    /// Returns a value with a type of the given name; long values are cut.
    package static func typed(_ value: JSONValue, named type: String) -> MessageText {
        var writer = BriefWriter(room: limit)
        writer.write(value)
        let type = MessageText(words: type)
        switch value {
        case .null: return "null"
        case .string(let text) where writer.isCut:
            return "\(writer.text)\" (\(type), \(count(text.unicodeScalars.count, "character")))"
        case .array(let elements) where writer.isCut:
            return "\(writer.text) (\(type), \(count(elements.count, "element")))"
        case .object(let members) where writer.isCut:
            return "\(writer.text) (\(type), \(count(members.count, "member")))"
        default: return "\(writer.text) (\(type))"
        }
    }

    /// Returns a value without its type; long values are cut.
    package static func plain(_ value: JSONValue, limit: Int = limit) -> String {
        var writer = BriefWriter(room: limit)
        writer.write(value)
        return writer.text
    }

    /// Returns a string in quotation marks; a long string is cut.
    package static func quoted(_ text: String) -> String { plain(.string(text)) }

    /// Returns a string in quotation marks; a long string is cut at its start.
    package static func quotedEnd(_ text: String) -> String {
        guard isCut(text) else { return quoted(text) }
        return "\"…" + BriefWriter.escaped(Array(text.unicodeScalars.suffix(limit))) + "\""
    }

    /// Returns a string with its type; a long string is cut at its start.
    package static func typedEnd(_ text: String) -> MessageText {
        guard isCut(text) else { return typed(.string(text)) }
        return "\(quotedEnd(text)) (string, \(text.unicodeScalars.count) characters)"
    }

    /// Returns whether a string is too long to be shown completely.
    package static func isCut(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let index = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex) else {
            return false
        }
        return index < scalars.endIndex
    }

    /// Returns the value if it is small enough to be stored in a result, otherwise nil.
    package static func kept(_ value: JSONValue) -> JSONValue? { kept(value, room: 2_000) }

    /// Returns the value if it is small enough to be stored in a result, otherwise nil: a body must not outlive its
    /// checks.
    ///
    /// - Parameter room: The maximum length of the value's JSON text in Unicode scalars.
    package static func kept(_ value: JSONValue, room: Int) -> JSONValue? {
        var writer = BriefWriter(room: room)
        writer.write(value)
        if writer.isCut { return nil }
        return value
    }

    /// Returns a count with a noun: `1 element`, `2 elements`.
    package static func count(_ count: Int, _ noun: String) -> MessageText {
        "\(count) \(MessageText(words: count == 1 ? noun : noun + "s"))"
    }

    /// Returns items joined as in a sentence: `a`, `a or b`, `a, b or c`.
    package static func list(_ items: [MessageText], _ conjunction: MessageText = "or") -> MessageText {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return "\(items.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }

    /// Returns items joined as in a sentence: `a`, `a or b`, `a, b or c`.
    package static func list(_ items: [String], _ conjunction: String = "or") -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// Returns names for a hint, at most eight of them.
    package static func names(_ names: some Collection<String>) -> String {
        let shown = names.prefix(8).map { plain(.string($0), limit: 40) }.joined(separator: ", ")
        return names.count > 8 ? "\(shown), … (\(names.count) in all)" : shown
    }
}
