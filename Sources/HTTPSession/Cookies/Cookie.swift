import Basics

/// An HTTP cookie, as stored by a cookie jar (RFC 6265, section 5.3).
public struct Cookie: Sendable, Hashable {
    /// The name of the cookie.
    public var name: String
    /// The value, including quotation marks if it was sent with them.
    public var value: String
    /// The host or domain in lowercase, without a leading dot.
    public var domain: String
    /// Whether the cookie is sent only to this host, and not to its subdomains.
    public var isHostOnly: Bool
    /// The path that the cookie is sent for, including the paths below it.
    public var path: String
    /// The expiration time in seconds since 1970-01-01 UTC; nil for a session cookie.
    public var expires: Int64?
    /// Whether the cookie is sent only over https.
    public var isSecure: Bool
    /// Whether browsers hide the cookie from scripts.
    public var isHTTPOnly: Bool
    /// The SameSite attribute as written, if there is one; the library does not evaluate it.
    public var sameSite: String?

    /// Creates a cookie.
    /// - Parameters:
    ///   - name: The name of the cookie.
    ///   - value: The value of the cookie.
    ///   - domain: The host or domain in lowercase, without a leading dot.
    ///   - isHostOnly: Whether the cookie is sent only to this host, and not to its subdomains.
    ///   - path: The path that the cookie is sent for, including the paths below it.
    ///   - expires: The expiration time in seconds since 1970-01-01 UTC; nil for a session cookie.
    ///   - isSecure: Whether the cookie is sent only over https.
    ///   - isHTTPOnly: Whether browsers hide the cookie from scripts.
    ///   - sameSite: The SameSite attribute.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        expires: Int64? = nil, isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: String? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }

    /// Creates a cookie from a `Set-Cookie` value, or returns nil if it must be ignored (RFC 6265, sections 5.2 and
    /// 5.3).
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - url: The URL of the response.
    ///   - now: The time in seconds since 1970-01-01 UTC.
    public init?(setCookie text: String, from url: HTTPURL, now: Int64) {
        // Parsed as bytes, because a separator and a following combining character form a single `Character`.
        let (semicolon, sign) = (UInt8(ascii: ";"), UInt8(ascii: "="))
        var parts = text.utf8.split(separator: semicolon, omittingEmptySubsequences: false).makeIterator()
        guard let pair = parts.next(), let equals = pair.firstIndex(of: sign) else { return nil }
        let name = Self.trimmed(pair[..<equals])
        guard !name.isEmpty, text.utf8.count <= 8192, !Self.hasControl(text) else { return nil }
        self.init(
            name: name, value: Self.trimmed(pair[pair.index(after: equals)...]), domain: url.host,
            path: Self.defaultPath(url.path))
        guard self.name.utf8.count + value.utf8.count <= Self.maximumPair else { return nil }
        var maxAge: Int64?
        // If an attribute occurs more than once, the last one is used.
        var domain = ""
        var hasRootPath = false
        while let part = parts.next() {
            let equals = part.firstIndex(of: sign)
            let attribute = Self.trimmed(equals.map { part[..<$0] } ?? part).lowercased()
            let value = equals.map { Self.trimmed(part[part.index(after: $0)...]) } ?? ""
            switch attribute {
            case "expires": if let date = CookieDate.parse(value) { expires = date }
            case "max-age": if let seconds = Self.maxAge(value) { maxAge = seconds }
            case "domain": if !value.isEmpty { domain = value }
            case "path":
                path = value.utf8.first == UInt8(ascii: "/") ? value : Self.defaultPath(url.path)
                hasRootPath = value == "/"
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "samesite": sameSite = value
            default: break
            }
        }
        if let maxAge {
            let (sum, overflow) = now.addingReportingOverflow(maxAge)
            expires = maxAge <= 0 ? Int64.min : overflow ? Int64.max : sum
        }
        // RFC 6265bis, section 5.7: an insecure connection must not set secure cookies.
        guard !isSecure || url.isSecure, setDomain(domain, host: url.host) else { return nil }
        guard keepsPromise(of: url, hasDomain: !domain.isEmpty, hasRootPath: hasRootPath) else { return nil }
    }

    /// The maximum size of name and value together, in bytes (RFC 6265, section 6.1; RFC 6265bis, section 5.6).
    static let maximumPair = 4096

    /// Returns whether the cookie meets the requirements of a `__Secure-` or `__Host-` prefix (RFC 6265bis, section
    /// 4.1.3).
    private func keepsPromise(of url: HTTPURL, hasDomain: Bool, hasRootPath: Bool) -> Bool {
        let lowered = name.lowercased()
        if lowered.hasPrefix("__secure-") { return isSecure && url.isSecure }
        if lowered.hasPrefix("__host-") { return isSecure && url.isSecure && !hasDomain && hasRootPath }
        return true
    }

    /// Returns whether a string contains control characters other than a tab.
    private static func hasControl(_ text: String) -> Bool {
        text.utf8.contains { ($0 < 32 && $0 != 9) || $0 == 127 }
    }

    /// Applies a Domain attribute, and returns false if the host may not set cookies for that domain.
    private mutating func setDomain(_ value: String, host: String) -> Bool {
        var name = value.lowercased()
        if name.utf8.first == UInt8(ascii: ".") { name.removeFirst() }
        guard !name.isEmpty else { return true }
        if name == host {
            // An IP address has no subdomains, and neither does a single-label name such as "localhost".
            isHostOnly = IPAddress.isLiteral(host) || !name.utf8.contains(UInt8(ascii: "."))
            return true
        }
        guard name.utf8.contains(UInt8(ascii: ".")), Self.domain(host, matches: name) else { return false }
        domain = name
        isHostOnly = false
        return true
    }

    private static func maxAge(_ value: String) -> Int64? {
        let digits = value.utf8.first == UInt8(ascii: "-") ? value.utf8.dropFirst() : value.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return Int64(value) ?? (value.utf8.first == UInt8(ascii: "-") ? Int64.min : Int64.max)
    }

    /// Returns whether the cookie is sent with a request to a URL (RFC 6265, section 5.4).
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - now: The time in seconds since 1970-01-01 UTC.
    public func matches(_ url: HTTPURL, now: Int64) -> Bool {
        guard isHostOnly ? url.host == domain : Self.domain(url.host, matches: domain) else { return false }
        guard !isSecure || url.isSecure else { return false }
        if let expires, expires <= now { return false }
        return Self.path(url.path, matches: path)
    }

    /// Returns whether a host equals a domain or is a subdomain of it (RFC 6265, section 5.1.3).
    static func domain(_ host: String, matches domain: String) -> Bool {
        if host == domain { return true }
        return host.hasSuffix("." + domain) && !IPAddress.isLiteral(host)
    }

    /// Returns whether a path equals another one or is below it (RFC 6265, section 5.1.4).
    static func path(_ path: String, matches prefix: String) -> Bool {
        if path == prefix { return true }
        guard path.hasPrefix(prefix) else { return false }
        return prefix.utf8.last == UInt8(ascii: "/")
            || path.utf8.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
    }

    /// Returns the path of a cookie without a Path attribute (RFC 6265, section 5.1.4).
    static func defaultPath(_ path: String) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        String(Substring(ASCII.trimmed(text)))
    }
}
