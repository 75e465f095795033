import JSON

/// Writes values as JSON text for people: no longer than a bound, control characters made visible.
///
/// The work is bounded by the room, not by the size of the value.
struct BriefText {
    /// The text so far.
    private(set) var text = ""
    /// Whether something did not fit.
    private(set) var isCut = false
    /// How many more Unicode scalars fit.
    private var room: Int

    init(room: Int) {
        self.room = room
    }

    /// Appends a value.
    mutating func write(_ value: JSONValue) {
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
            if let escape = BriefText.escape(scalar) { append(escape) } else { append(scalar) }
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

    /// The escape of a scalar that is not shown as it is: as in JSON, and for every control and direction mark.
    private static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x22: return "\\\""
        case 0x5C: return "\\\\"
        case 0x08: return "\\b"
        case 0x09: return "\\t"
        case 0x0A: return "\\n"
        case 0x0C: return "\\f"
        case 0x0D: return "\\r"
        case 0x00..<0x20, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        default: return nil
        }
    }
}
