/// Writes values as JSON text for people: no longer than a bound, control characters made visible.
///
/// The work is bounded by the room, not by the size of the value.
package struct BriefWriter {
    /// The text so far.
    package private(set) var text = ""
    /// True when something did not fit.
    package private(set) var isCut = false
    /// How many more Unicode scalars fit.
    private var room: Int

    /// Creates a writer of at most so many Unicode scalars.
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

    /// Appends text in quotation marks.
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

    /// The text with everything escaped that a terminal or a reader could take for something else.
    package static func escaped(_ text: some Sequence<Unicode.Scalar>) -> String {
        var result = ""
        for scalar in text {
            if let escape = escape(scalar) { result += escape } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// Markup with everything escaped that is not shown as it is; its quotation marks and backslashes stay.
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

    /// The text with one replacement character for each scalar that is not shown as it is, so that columns stay.
    package static func visible(_ text: some Sequence<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text {
            let isShown = scalar == "\"" || scalar == "\\" || escape(scalar) == nil
            result.append(isShown ? scalar : scalar == "\t" ? " " : "\u{FFFD}")
        }
        return String(result)
    }

    /// The escape of a scalar that is not shown as it is: as in JSON, and for controls, direction marks and odd spaces.
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
