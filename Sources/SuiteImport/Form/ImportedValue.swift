package import JSON

/// A value of an imported suite: a string with expressions, a number, a Boolean, null, or a collection.
package indirect enum ImportedValue: Sendable, Hashable {
    /// A member of a mapping.
    package struct Member: Sendable, Hashable {
        /// The name, which may contain expressions.
        package var key: ImportedText
        /// The value.
        package var value: ImportedValue

        /// Creates a member.
        package init(_ key: ImportedText, _ value: ImportedValue) {
            self.key = key
            self.value = value
        }
    }

    /// A string.
    case text(ImportedText)
    /// A number, a Boolean, or `null`, as written in JSON.
    case plain(String)
    /// A sequence.
    case sequence([ImportedValue])
    /// A mapping, in order.
    case mapping([Member])

    /// Null.
    package static let null = ImportedValue.plain("null")

    /// Returns a string without expressions.
    package static func literal(_ text: some StringProtocol) -> ImportedValue { .text(ImportedText(text)) }

    /// Returns the value of an expression.
    package static func expression(_ source: String) -> ImportedValue { .text(ImportedText(expression: source)) }

    /// Returns an integer.
    package static func integer(_ value: Int) -> ImportedValue { .plain(String(value)) }

    /// Returns a Boolean.
    package static func bool(_ value: Bool) -> ImportedValue { .plain(value ? "true" : "false") }

    /// Returns a mapping of names without expressions.
    package static func map(_ members: [(String, ImportedValue)]) -> ImportedValue {
        .mapping(members.map { Member(ImportedText($0.0), $0.1) })
    }

    /// Creates a value without expressions from a JSON value, whose depth its parser limits.
    package init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number): self = .plain(number.literal)
        case .string(let text): self = .literal(text)
        case .array(let elements): self = .sequence(elements.map { ImportedValue($0) })
        case .object(let object):
            self = .mapping(object.map { Member(ImportedText($0.key), ImportedValue($0.value)) })
        }
    }

    /// Creates a value of text that is sent as text, in its most readable notation: `2` rather than `"2"`.
    ///
    /// Numbers keep their digits, so the same text is sent.
    package init(readable text: ImportedText) {
        if let literal = text.literal, Self.isPlainScalar(literal) {
            self = .plain(literal)
        } else {
            self = .text(text)
        }
    }

    private static func isPlainScalar(_ text: String) -> Bool {
        if text == "true" || text == "false" { return true }
        guard let first = text.utf8.first, first == 0x2D || (0x30...0x39).contains(first), text.utf8.count <= 15,
            let number = JSONNumber(literal: text)
        else { return false }
        return number.literal == text && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    }

    /// Returns the value with all strings and names transformed.
    package func mapTexts(_ transform: (ImportedText) -> ImportedText) -> ImportedValue {
        switch self {
        case .text(let text): .text(transform(text))
        case .plain: self
        case .sequence(let elements): .sequence(elements.map { $0.mapTexts(transform) })
        case .mapping(let members):
            .mapping(members.map { Member(transform($0.key), $0.value.mapTexts(transform)) })
        }
    }

    /// Calls a closure with all strings and names.
    package func forEachText(_ body: (ImportedText) -> Void) {
        switch self {
        case .text(let text): body(text)
        case .plain: break
        case .sequence(let elements): for element in elements { element.forEachText(body) }
        case .mapping(let members):
            for member in members {
                body(member.key)
                member.value.forEachText(body)
            }
        }
    }
}

extension ImportedValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// Creates a string without expressions.
    package init(stringLiteral value: String) { self = .literal(value) }
    /// Creates an integer.
    package init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a Boolean.
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}
