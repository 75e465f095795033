import Basics
import JSON
import SuiteModel

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
    var isJSON: Bool { MediaTypes.isJSON(mediaType) }

    /// Whether the type says that the body is HTML.
    var isHTML: Bool { mediaType == "text/html" }

    /// Whether the type says that the body is XML: `text/xml`, `application/xml` or any `+xml` (RFC 7303).
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

/// The attributes of a cookie as a `Set-Cookie` field gives them (RFC 6265, section 5.2).
struct CookieAttributes {
    private var values: [CookieAttribute: JSONValue] = [.secure: false, .httpOnly: false]

    /// Reads the attributes of a field; of one that comes more than once the last counts, unknown ones do not.
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

    /// The value of an attribute; nil for one that was not sent, but false for `secure` and `httpOnly`.
    subscript(_ attribute: CookieAttribute) -> JSONValue? { values[attribute] }
}

extension CookieAttribute {
    /// The attribute's name in a `Set-Cookie` field.
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
