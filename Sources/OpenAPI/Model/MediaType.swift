import Basics
public import JSON

/// The content of a body in one media type (Media Type Object).
public struct MediaType: Sendable {
    /// The media types that the entry describes.
    public var range: MediaRange
    /// The schema of the complete body.
    public var schema: DescriptionNode?
    /// The schema of each item of a stream (OpenAPI 3.2).
    public var itemSchema: DescriptionNode?
    /// The serialization of the members of a form.
    public var encodings: [Encoding]
    /// The serialization of the first parts of a multipart body, by position (OpenAPI 3.2).
    public var prefixEncodings: [Encoding] = []
    /// The serialization of all other parts of a multipart body (OpenAPI 3.2).
    public var itemEncoding: Encoding?
    /// The examples of the body.
    public var examples: [Example]
    /// The location in the description.
    public var node: DescriptionNode
}

/// The serialization of a form field or a part of a multipart body (Encoding Object).
public struct Encoding: Sendable {
    /// The name of the property.
    public var property: String
    /// The allowed media types, separated by commas, or `nil` for the default of the schema.
    public var contentType: String?
    /// The headers of the part.
    public var headers: [Parameter]
    /// The serialization style of the value.
    public var style: Parameter.Style
    /// A Boolean value that indicates whether each element or member is a separate field.
    public var isExploded: Bool
    /// A Boolean value that indicates whether reserved characters are sent without encoding.
    public var allowsReserved: Bool
    /// The location in the description.
    public var node: DescriptionNode
}

/// An example of a value (Example Object, `example`, or an element of a schema's `examples`).
public struct Example: Sendable {
    /// The name, or an empty string for an unnamed example.
    public var name: String
    /// The value, or `nil` if the example only provides a URL.
    public var value: JSONValue?
    /// The serialized value, in the form in which it is sent (OpenAPI 3.2).
    public var serializedValue: String?
    /// The location in the description, after resolving `$ref`.
    public var node: DescriptionNode
}

/// A media type or a media range: `application/json`, `text/*`, `*/*` (RFC 9110, section 12.5.1).
public struct MediaRange: Sendable, Hashable {
    /// The media type as written.
    public let text: String
    /// The lowercase type, or `*`.
    public let type: String
    /// The lowercase subtype, or `*`. `*+json` matches every subtype with that suffix.
    public let subtype: String
    /// The parameters except `q`, with lowercase names.
    public let parameters: [String: String]

    /// Parses a media type. An invalid one has empty parts, which match nothing.
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

    /// The type and subtype without parameters: `application/json`.
    public var essence: String { "\(type)/\(subtype)" }

    /// A Boolean value that indicates whether this is a single media type rather than a range.
    public var isConcrete: Bool { !type.isEmpty && type != "*" && !subtype.contains("*") }

    /// A Boolean value that indicates whether the type is `application/json`, `text/json`, or any `+json`.
    public var isJSON: Bool { MediaTypes.isJSON(essence) }

    /// A Boolean value that indicates whether the type is `application/xml`, `text/xml`, or any `+xml` (RFC 7303).
    public var isXML: Bool { MediaTypes.isXML(essence) }

    /// Returns the rank of a match with a media type, where higher is more specific, or `nil` if it does not match.
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
    /// The content that is easiest to generate for a request.
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
    /// A media type within the range.
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
