public import JSON

/// A cookie in a HAR file.
public struct HARCookie: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String
    /// The path, of a cookie that a response sets.
    public var path: String?
    /// The host or domain, of a cookie that a response sets.
    public var domain: String?
    /// When it ends (ISO 8601); nil for a session cookie.
    public var expires: String?
    /// Whether browsers hide it from scripts.
    public var httpOnly: Bool?
    /// Whether it is sent over https only.
    public var secure: Bool?

    /// Creates a cookie of a request.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Creates a cookie of a response.
    public init(_ cookie: Cookie) {
        self.init(name: cookie.name, value: cookie.value)
        path = cookie.path
        domain = cookie.domain
        expires = cookie.expires.map { HARTime.text(Double($0)) }
        httpOnly = cookie.isHTTPOnly
        secure = cookie.isSecure
    }

    /// The cookie as it is in the file.
    public var json: JSONValue {
        var object: JSONObject = ["name": .string(name), "value": .string(value)]
        if let path { object["path"] = .string(path) }
        if let domain { object["domain"] = .string(domain) }
        if let expires { object["expires"] = .string(expires) }
        if let httpOnly { object["httpOnly"] = .bool(httpOnly) }
        if let secure { object["secure"] = .bool(secure) }
        return .object(object)
    }
}
