public import JSON

/// The content of a scalar node.
public struct YAMLScalar: Sendable {
    /// How a scalar is written.
    public enum Style: UInt8, Sendable {
        /// Without quotes.
        case plain
        /// Between apostrophes.
        case singleQuoted
        /// Between quotation marks, with escapes.
        case doubleQuoted
        /// A block after `|`, which keeps its line breaks.
        case literal
        /// A block after `>`, whose lines are joined.
        case folded
    }

    let arena: YAMLArena
    let record: NodeRecord

    /// The text, with quotes, escapes and line folding resolved; made of the document's bytes each time it is asked for.
    public var text: String { arena.text(of: record) }

    /// How the scalar is written.
    public var style: Style { record.style }

    /// The number of the text's Unicode scalars.
    public var unicodeScalarCount: Int {
        arena.withText(of: record) { text in
            var count = 0
            for byte in text where byte & 0xC0 != 0x80 { count += 1 }
            return count
        }
    }

    /// The value by the core schema of YAML 1.2 (section 10.3.2).
    ///
    /// Only a plain scalar can be something else than a string, unless a tag says so. Numbers keep the digits that are
    /// written, except where JSON has another notation: `012` is 12, `+1` 1, `.5` 0.5, `0x1F` 31. `.inf` and `.nan`,
    /// which JSON cannot express, are the string that is written; see ``isNonFinite``.
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
            // As many digits as an integer holds whatever they are; a zero before others is not in JSON's notation.
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

    /// Whether the scalar is an infinity or not-a-number: `.inf`, `-.inf` or `.nan`.
    public var isNonFinite: Bool { record.form == .nonFinite }

    /// Whether the scalar is a string, without making its value.
    public var isString: Bool { record.form == .string }

    /// What the scalar is, without making its value.
    public var form: YAMLNode.Form { YAMLNode.Form(record) }
}

/// A key of a map, compared by its bytes and not by canonical equivalence.
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
