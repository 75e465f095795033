public import JSON

/// The content of a scalar node.
public struct YAMLScalar: Sendable {
    /// The style in which a scalar is written.
    public enum Style: UInt8, Sendable {
        /// Plain, without quotation marks.
        case plain
        /// In single quotes.
        case singleQuoted
        /// In double quotes, with escapes.
        case doubleQuoted
        /// A block scalar after `|`, which keeps line breaks.
        case literal
        /// A block scalar after `>`, whose lines are joined.
        case folded
    }

    let arena: YAMLArena
    let record: NodeRecord

    /// The text, with quotes, escapes, and line folding resolved. Each access creates a new string.
    public var text: String { arena.text(of: record) }

    /// The style of the scalar.
    public var style: Style { record.style }

    /// The number of Unicode scalars of the text.
    public var unicodeScalarCount: Int {
        arena.withText(of: record) { text in
            var count = 0
            for byte in text where byte & 0xC0 != 0x80 { count += 1 }
            return count
        }
    }

    /// The value in the YAML 1.2 core schema (section 10.3.2).
    ///
    /// Without a tag, only plain scalars can have a type other than string. Numbers keep the digits they are written
    /// with, except where JSON requires another notation: `012` becomes 12, `+1` becomes 1, `.5` becomes 0.5, and
    /// `0x1F` becomes 31. `.inf` and `.nan`, which JSON cannot represent, become strings; see ``isNonFinite``.
    public var value: JSONValue {
        switch record.form {
        case .null: .null
        case .boolean: .bool(arena.withText(of: record) { ($0.first ?? 0) | 0x20 == UInt8(ascii: "t") })
        case .number: number
        case .nonFinite, .string: .string(text)
        }
    }

    private var number: JSONValue {
        let integer: Int64? = arena.withText(of: record) { text in
            // Any 18 digits fit into an integer. Leading zeros are not valid in JSON.
            guard text.count <= 18, text.first != UInt8(ascii: "0") || text.count == 1 else { return nil }
            var value: Int64 = 0
            for byte in text {
                let digit = byte &- UInt8(ascii: "0")
                guard digit <= 9 else { return nil }
                value = value &* 10 &+ Int64(digit)
            }
            return value
        }
        if let integer { return .number(JSONNumber(integer)) }
        if case .number(let number) = CoreScalar(plain: text) { return .number(number) }
        return .string(text)
    }

    /// Whether the scalar is an infinity or NaN: `.inf`, `-.inf`, or `.nan`.
    public var isNonFinite: Bool { record.form == .nonFinite }

    /// Whether the scalar is a string, determined without creating its value.
    public var isString: Bool { record.form == .string }

    /// The type of the scalar, determined without creating its value.
    public var form: YAMLNode.Form { YAMLNode.Form(record) }
}

/// A key of a mapping, compared by bytes and not by canonical equivalence.
struct ExactKey: Hashable {
    let text: String

    static func == (left: ExactKey, right: ExactKey) -> Bool {
        left.text.utf8.count == right.text.utf8.count && left.text == right.text
            && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
