/// A media type or a range of them: `application/json`, `text/*`, `*/*` (RFC 9110, section 12.5.1).
public struct MediaRange: Sendable, Hashable {
    /// What is written.
    public let text: String
    /// The type in lower case, or `*`.
    public let type: String
    /// The subtype in lower case, or `*`; `*+json` stands for all with that suffix.
    public let subtype: String
    /// The parameters but for `q`: names in lower case, and values.
    public let parameters: [String: String]

    /// Takes a media type apart; what is no media type gives empty parts, which match nothing.
    public init(_ text: String) {
        self.text = text
        var parts = text.split(separator: ";", omittingEmptySubsequences: false)
        let essence = parts.isEmpty ? "" : Self.trimmed(parts.removeFirst()).lowercased()
        let slash = essence.firstIndex(of: "/")
        type = slash.map { String(essence[..<$0]) } ?? (essence == "*" ? "*" : "")
        subtype = slash.map { String(essence[essence.index(after: $0)...]) } ?? (essence == "*" ? "*" : "")
        var parameters: [String: String] = [:]
        for part in parts {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let name = Self.trimmed(part[..<equals]).lowercased()
            var value = Self.trimmed(part[part.index(after: equals)...])
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = value.dropFirst().dropLast() }
            if name != "q" { parameters[name] = name == "charset" ? value.lowercased() : String(value) }
        }
        self.parameters = parameters
    }

    /// The type without parameters: `application/json`.
    public var essence: String { "\(type)/\(subtype)" }

    /// Whether it is a single media type and no range.
    public var isConcrete: Bool { !type.isEmpty && type != "*" && !subtype.contains("*") }

    /// Whether it is JSON: `application/json`, `text/json` or any `+json`.
    public var isJSON: Bool { essence == "application/json" || essence == "text/json" || subtype.hasSuffix("+json") }

    /// Whether it is XML (RFC 7303): `application/xml`, `text/xml` or any `+xml`.
    public var isXML: Bool { essence == "application/xml" || essence == "text/xml" || subtype.hasSuffix("+xml") }

    /// How well it fits a media type, the higher the better; nil when it does not match.
    public func specificity(for other: MediaRange) -> Int? {
        guard !type.isEmpty, !other.type.isEmpty, type == "*" || type == other.type else { return nil }
        var rank: Int
        if subtype == other.subtype {
            rank = 30
        } else if subtype.hasPrefix("*+"), other.subtype.hasSuffix(subtype.dropFirst()) {
            rank = 20
        } else if subtype == "*" {
            rank = type == "*" ? 0 : 10
        } else {
            return nil
        }
        for (name, value) in parameters {
            guard other.parameters[name] == value else { return nil }
            rank += 1
        }
        return rank
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
