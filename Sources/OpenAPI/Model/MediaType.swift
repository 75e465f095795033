import Basics
public import JSON

/// What a body of one media type holds (Media Type Object).
public struct MediaType: Sendable {
    /// The media types that it describes.
    public var range: MediaRange
    /// The schema of the whole body.
    public var schema: DescriptionNode?
    /// The schema of each item of a stream (3.2).
    public var itemSchema: DescriptionNode?
    /// How the members of a form are written.
    public var encodings: [Encoding]
    /// How the first parts of a multipart body are written, by position (3.2).
    public var prefixEncodings: [Encoding] = []
    /// How all other parts of a multipart body are written (3.2).
    public var itemEncoding: Encoding?
    /// Examples of the body.
    public var examples: [Example]
    /// Where it stands.
    public var node: DescriptionNode
}

/// How a member of a form or a part of a multipart body is written (Encoding Object).
public struct Encoding: Sendable {
    /// The member's name.
    public var property: String
    /// The media types that it may have, separated by commas; nil for what follows from its schema.
    public var contentType: String?
    /// The headers of the part.
    public var headers: [Parameter]
    /// How its value becomes text.
    public var style: Parameter.Style
    /// Whether each element or member is a field of its own.
    public var isExploded: Bool
    /// Whether reserved characters are sent as they are.
    public var allowsReserved: Bool
    /// Where it stands.
    public var node: DescriptionNode
}

/// An example of a value (Example Object, or `example`, or an element of a schema's `examples`).
public struct Example: Sendable {
    /// The name; empty for the only one.
    public var name: String
    /// The value; nil when it is only named by a URL.
    public var value: JSONValue?
    /// The value as text, as it is sent (3.2).
    public var serializedValue: String?
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
}

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
        let essence = parts.isEmpty ? "" : ASCII.trimmed(parts.removeFirst()).lowercased()
        let slash = essence.firstIndex(of: "/")
        type = slash.map { String(essence[..<$0]) } ?? (essence == "*" ? "*" : "")
        subtype = slash.map { String(essence[essence.index(after: $0)...]) } ?? (essence == "*" ? "*" : "")
        var parameters: [String: String] = [:]
        for part in parts {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let name = ASCII.trimmed(part[..<equals]).lowercased()
            var value = ASCII.trimmed(part[part.index(after: equals)...])
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
}

extension [MediaType] {
    /// The content that a request is made of most easily.
    package var easiest: MediaType? {
        func rank(_ range: MediaRange) -> Int {
            if range.isJSON || range.type == "*" || range.essence == "application/*" { return 0 }
            switch range.essence {
            case "application/x-www-form-urlencoded": return 1
            case "multipart/form-data": return 2
            default: break
            }
            if range.subtype == "xml" || range.subtype.hasSuffix("+xml") { return 5 }
            return range.type == "text" ? 3 : 4
        }
        return self.min { rank($0.range) < rank($1.range) }
    }
}

extension MediaRange {
    /// A media type of the range.
    package var instance: String {
        if isConcrete { return text }
        if subtype.hasPrefix("*+") { return "\(type == "*" ? "application" : type)/vnd.example\(subtype.dropFirst())" }
        switch type {
        case "text": return "text/plain"
        case "image": return "image/png"
        case "audio": return "audio/mpeg"
        case "video": return "video/mp4"
        default: return "application/json"
        }
    }
}
