/// A media type, or a range of them as in an `Accept` field (RFC 9110 section 12.5.1), without parameters.
struct MediaRange: Sendable, Hashable, CustomStringConvertible {
    /// The type in lower case, or `*`.
    let type: String
    /// The subtype in lower case, or `*`.
    let subtype: String

    /// Reads `type/subtype`; what follows a semicolon is ignored. Nil for anything else.
    init?(_ text: String) {
        let name = text.prefix { $0 != ";" }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let first = Self.trimmed(parts[0])
        let second = Self.trimmed(parts[1])
        guard ByteClass.isToken(first), ByteClass.isToken(second) else { return nil }
        type = first.lowercased()
        subtype = second.lowercased()
    }

    /// Whether every media type is covered.
    var isAny: Bool { type == "*" && subtype == "*" }

    /// Whether a media type is in this range; `*` stands for any type and any subtype, so `*/json` covers `text/json`.
    func covers(_ other: MediaRange) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    /// The range as it is written.
    var description: String { type + "/" + subtype }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
