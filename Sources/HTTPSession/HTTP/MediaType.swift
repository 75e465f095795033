import Basics

/// A media type, or a media range as in an `Accept` field (RFC 9110, section 12.5.1), without parameters.
struct MediaRange: Sendable, Hashable, CustomStringConvertible {
    /// The type in lowercase, or `*`.
    let type: String
    /// The subtype in lowercase, or `*`.
    let subtype: String

    /// Creates a range from `type/subtype`, ignoring everything after a semicolon; nil if it is invalid.
    init?(_ text: String) {
        let name = text.prefix { $0 != ";" }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let first = String(ASCII.trimmed(parts[0]))
        let second = String(ASCII.trimmed(parts[1]))
        guard ByteClass.isToken(first), ByteClass.isToken(second) else { return nil }
        type = first.lowercased()
        subtype = second.lowercased()
    }

    /// Whether the range covers every media type.
    var isAny: Bool { type == "*" && subtype == "*" }

    /// Returns whether a media type is in this range.
    ///
    /// A `*` matches any type or any subtype: `*/json` covers `text/json`.
    func covers(_ other: MediaRange) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    /// Whether the subtype indicates JSON: `json` or any `+json`.
    var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

    /// The range as `type/subtype`.
    var description: String { type + "/" + subtype }
}
