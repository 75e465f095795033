import Basics
import JSON
import SuiteModel

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
