import JSON

/// A part of a suite that is written.
enum SuiteNode {
    /// A text in which `${…}` is an expression.
    case text(String)
    /// A number, a boolean or `null`, as written.
    case plain(String)
    case members(SuiteMap)
    case list([SuiteNode])

    /// A map of these entries.
    static func map(_ entries: [(String, SuiteNode)]) -> SuiteNode { .members(SuiteMap(entries: entries)) }

    /// A value of JSON: its texts hold no expressions.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .plain("null")
        case .bool(let value): self = .plain(value ? "true" : "false")
        case .number(let number): self = .plain(number.literal)
        case .string(let text): self = .text(Self.escaped(text))
        case .array(let elements): self = .list(elements.map { SuiteNode($0) })
        case .object(let object): self = .map(object.map { ($0.key, SuiteNode($0.value)) })
        }
    }

    /// A text in which nothing is an expression.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        var result = ""
        var isAfterDollar = false
        for scalar in text.unicodeScalars {
            // `$${` is how `${` is written.
            if isAfterDollar, scalar == "{" { result += "$" }
            isAfterDollar = scalar == "$"
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
