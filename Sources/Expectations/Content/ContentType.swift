/// The media type of a body, read from `Content-Type` (RFC 9110, section 8.3).
struct ContentType {
    /// The type and subtype in lower case, without parameters.
    let mediaType: String
    /// The `charset` parameter in lower case.
    let charset: String?

    init(_ field: String) {
        // Nearly every response says just this; nothing is to be taken apart then.
        if field == "application/json" {
            mediaType = field
            charset = nil
            return
        }
        var parts = field.split(separator: ";", omittingEmptySubsequences: false)
        mediaType = parts.isEmpty ? "" : ContentType.trimmed(parts.removeFirst()).lowercased()
        var charset: String?
        for part in parts {
            guard let equals = part.firstIndex(of: "="), ContentType.trimmed(part[..<equals]).lowercased() == "charset"
            else { continue }
            charset = ContentType.trimmed(part[part.index(after: equals)...], quotes: true).lowercased()
            break
        }
        self.charset = charset
    }

    /// Whether the type says that the body is JSON: `application/json`, `text/json` or any `+json`.
    var isJSON: Bool {
        mediaType == "application/json" || mediaType == "text/json" || mediaType.hasSuffix("+json")
    }

    /// Whether the type says that the body is HTML.
    var isHTML: Bool { mediaType == "text/html" }

    /// Whether the type says that the body is XML: `text/xml`, `application/xml` or any `+xml` (RFC 7303).
    var isXML: Bool { mediaType == "text/xml" || mediaType == "application/xml" || mediaType.hasSuffix("+xml") }

    private static func trimmed(_ text: Substring, quotes: Bool = false) -> Substring {
        func isDropped(_ character: Character) -> Bool {
            character == " " || character == "\t" || (quotes && character == "\"")
        }
        var text = text
        while let first = text.first, isDropped(first) { text.removeFirst() }
        while let last = text.last, isDropped(last) { text.removeLast() }
        return text
    }
}
