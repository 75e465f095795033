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

    /// The text, with quotes, escapes and line folding resolved.
    public let text: String
    /// How the scalar is written.
    public let style: Style
    let tag: CoreTag

    /// The value by the core schema of YAML 1.2 (section 10.3.2).
    ///
    /// Only a plain scalar can be something else than a string, unless a tag says so. Numbers keep the digits that are
    /// written, except where JSON has another notation: `012` is 12, `+1` 1, `.5` 0.5, `0x1F` 31. `.inf` and `.nan`,
    /// which JSON cannot express, are the string that is written; see ``isNonFinite``.
    public var value: JSONValue {
        switch resolved {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let number): .number(number)
        case .nonFinite, .string: .string(text)
        }
    }

    /// Whether the scalar is an infinity or not-a-number: `.inf`, `-.inf` or `.nan`.
    public var isNonFinite: Bool {
        if case .nonFinite = resolved { true } else { false }
    }

    /// Whether the scalar is a string, without making its value.
    public var isString: Bool {
        if case .string = resolved { true } else { false }
    }

    private var resolved: CoreScalar {
        switch tag {
        case .string: .string
        case .none, .map, .sequence: style == .plain ? CoreScalar(plain: text) : .string
        case .null, .bool, .integer, .float: CoreScalar(plain: text)
        }
    }
}
