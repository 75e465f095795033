import Basics

/// One cookie as a jar keeps it (RFC 6265 section 5.3).
public struct Cookie: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value, with quotes if it was sent with them.
    public var value: String
    /// The host or domain in lower case, without a dot at its start.
    public var domain: String
    /// Whether only that host gets it, and not the hosts below.
    public var isHostOnly: Bool
    /// The path at and below which it is sent.
    public var path: String
    /// When it ends, in seconds since 1970-01-01 UTC; nil for a session cookie.
    public var expires: Int64?
    /// Whether it is sent over https only.
    public var isSecure: Bool
    /// Whether browsers hide it from scripts.
    public var isHTTPOnly: Bool
    /// The SameSite attribute as written, if there is one; a client without sites does not act on it.
    public var sameSite: String?

    /// Creates a cookie.
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

    /// Reads a `Set-Cookie` value that came from a URL; nil if it must be ignored (RFC 6265 sections 5.2 and 5.3).
    /// - Parameters:
    ///   - text: The field's value.
    ///   - url: The URL of the response.
    ///   - now: The time in seconds since 1970-01-01 UTC.
    public init?(setCookie text: String, from url: HTTPURL, now: Int64) {
        // By bytes: a sign and what combines with it are one character.
        let (semicolon, sign) = (UInt8(ascii: ";"), UInt8(ascii: "="))
        var parts = text.utf8.split(separator: semicolon, omittingEmptySubsequences: false).makeIterator()
        guard let pair = parts.next(), let equals = pair.firstIndex(of: sign) else { return nil }
        let name = Self.trimmed(pair[..<equals])
        guard !name.isEmpty, text.utf8.count <= 8192, !Self.hasControl(text) else { return nil }
        self.init(
            name: name, value: Self.trimmed(pair[pair.index(after: equals)...]), domain: url.host,
            path: Self.defaultPath(url.path))
        guard self.name.utf8.count + value.utf8.count <= Self.largestPair else { return nil }
        var maxAge: Int64?
        // Of an attribute that comes more than once the last counts.
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
        // The successor of RFC 6265, section 5.7: who is on a plain connection must not plant cookies for a secure one.
        guard !isSecure || url.isSecure, setDomain(domain, host: url.host) else { return nil }
        guard keepsPromise(of: url, hasDomain: !domain.isEmpty, hasRootPath: hasRootPath) else { return nil }
    }

    /// The largest name and value together, in bytes (RFC 6265 section 6.1 and its successor, section 5.6).
    static let largestPair = 4096

    /// Whether a name that begins with `__Secure-` or `__Host-` says the truth (the successor of RFC 6265, section 4.1.3).
    private func keepsPromise(of url: HTTPURL, hasDomain: Bool, hasRootPath: Bool) -> Bool {
        let lowered = name.lowercased()
        if lowered.hasPrefix("__secure-") { return isSecure && url.isSecure }
        if lowered.hasPrefix("__host-") { return isSecure && url.isSecure && !hasDomain && hasRootPath }
        return true
    }

    /// Whether a text has control characters other than a tab.
    private static func hasControl(_ text: String) -> Bool {
        text.utf8.contains { ($0 < 32 && $0 != 9) || $0 == 127 }
    }

    /// Takes a Domain attribute; false if the host may not set cookies for it.
    private mutating func setDomain(_ value: String, host: String) -> Bool {
        var name = value.lowercased()
        if name.utf8.first == UInt8(ascii: ".") { name.removeFirst() }
        guard !name.isEmpty else { return true }
        if name == host {
            // An address has no hosts below it, and neither has a name of one label such as "localhost".
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

    /// Whether it is sent with a request to the URL (RFC 6265 section 5.4).
    public func matches(_ url: HTTPURL, now: Int64) -> Bool {
        guard isHostOnly ? url.host == domain : Self.domain(url.host, matches: domain) else { return false }
        guard !isSecure || url.isSecure else { return false }
        if let expires, expires <= now { return false }
        return Self.path(url.path, matches: path)
    }

    /// Whether a host is a domain or below it (RFC 6265 section 5.1.3).
    static func domain(_ host: String, matches domain: String) -> Bool {
        if host == domain { return true }
        return host.hasSuffix("." + domain) && !IPAddress.isLiteral(host)
    }

    /// Whether a path is at or below another (RFC 6265 section 5.1.4).
    static func path(_ path: String, matches prefix: String) -> Bool {
        if path == prefix { return true }
        guard path.hasPrefix(prefix) else { return false }
        return prefix.utf8.last == UInt8(ascii: "/")
            || path.utf8.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
    }

    /// The path of a cookie without a Path attribute (RFC 6265 section 5.1.4).
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
