/// A request method (RFC 9110, section 9); methods are case-sensitive.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method from its name, which is validated when the request is sent.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a method from its name.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }

    /// The GET method.
    public static let get: HTTPMethod = "GET"
    /// The HEAD method.
    public static let head: HTTPMethod = "HEAD"
    /// The POST method.
    public static let post: HTTPMethod = "POST"
    /// The PUT method.
    public static let put: HTTPMethod = "PUT"
    /// The PATCH method (RFC 5789).
    public static let patch: HTTPMethod = "PATCH"
    /// The DELETE method.
    public static let delete: HTTPMethod = "DELETE"
    /// The OPTIONS method.
    public static let options: HTTPMethod = "OPTIONS"
    /// The TRACE method.
    public static let trace: HTTPMethod = "TRACE"

    /// The method as it is sent.
    public var description: String { rawValue }

    /// Whether repeating the request has the same effect as sending it once (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool {
        switch rawValue {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE": true
        default: false
        }
    }

    /// Whether servers expect a body, so that an empty one needs `Content-Length: 0` (RFC 9110, section 8.6).
    var anticipatesBody: Bool {
        switch rawValue {
        case "POST", "PUT", "PATCH": true
        default: false
        }
    }

    /// Whether the name is a token (RFC 9110, section 5.6.2).
    var isValid: Bool { ByteClass.isToken(rawValue) }
}
