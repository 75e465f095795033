import Basics
import JSON
import SuiteModel

/// The media type of a body, read from `Content-Type` (RFC 9110, section 8.3).
struct ContentType {
    /// The lowercase type and subtype, without parameters.
    let mediaType: String
    /// The lowercase value of the `charset` parameter.
    let charset: String?

    init(_ field: String) {
        // The most common value, which needs no parsing.
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

    /// Whether the type is JSON: `application/json`, `text/json` or any `+json`.
    var isJSON: Bool { MediaTypes.isJSON(mediaType) }

    /// Whether the type is HTML.
    var isHTML: Bool { mediaType == "text/html" }

    /// Whether the type is XML: `text/xml`, `application/xml` or any `+xml` (RFC 7303).
    var isXML: Bool { MediaTypes.isXML(mediaType) }

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

/// The attributes of a cookie in a `Set-Cookie` field (RFC 6265, section 5.2).
struct CookieAttributes {
    private var values: [CookieAttribute: JSONValue] = [.secure: false, .httpOnly: false]

    /// Parses the attributes of a field. The last of several equal attributes applies; unknown ones are ignored.
    init(_ field: String) {
        for part in field.split(separator: ";", omittingEmptySubsequences: false).dropFirst() {
            let equals = part.firstIndex(of: "=")
            let name = ASCII.trimmed(equals.map { part[..<$0] } ?? part).lowercased()
            let value = equals.map { String(ASCII.trimmed(part[part.index(after: $0)...])) } ?? ""
            switch name {
            case "path": values[.path] = .string(value)
            case "domain": values[.domain] = .string(value)
            case "secure": values[.secure] = true
            case "httponly": values[.httpOnly] = true
            case "samesite": values[.sameSite] = .string(value)
            case "max-age": values[.maxAge] = JSONNumber(literal: value).map { .number($0) } ?? .string(value)
            case "expires": values[.expires] = .string(value)
            default: break
            }
        }
    }

    /// The value of an attribute; nil if it was not sent, except for `secure` and `httpOnly`, which are then false.
    subscript(_ attribute: CookieAttribute) -> JSONValue? { values[attribute] }
}

extension CookieAttribute {
    /// The name of the attribute in a `Set-Cookie` field.
    var fieldName: String {
        switch self {
        case .path: "Path"
        case .domain: "Domain"
        case .secure: "Secure"
        case .httpOnly: "HttpOnly"
        case .sameSite: "SameSite"
        case .maxAge: "Max-Age"
        case .expires: "Expires"
        }
    }
}
