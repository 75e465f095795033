import Basics

/// A proxy server.
///
/// ```swift
/// configuration.connection.proxy = .proxy(try Proxy("http://127.0.0.1:3128"), except: ["localhost"])
/// ```
public struct Proxy: Sendable, Hashable {
    /// The protocol of a proxy.
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        /// An HTTP proxy: `http` requests are forwarded, all others use a CONNECT tunnel.
        case http
        /// An HTTP proxy over TLS.
        case https
        /// SOCKS 5 (RFC 1928) with local name resolution.
        case socks5
        /// SOCKS 5 with name resolution by the proxy.
        case socks5h

        /// The default port of a proxy, the same as curl's.
        var defaultPort: Int { self == .https ? 443 : 1080 }
    }

    /// The protocol of the proxy.
    public var scheme: Scheme
    /// The host; an IPv6 address without brackets.
    public var host: String
    /// The port.
    public var port: Int
    /// The user name, if the proxy requires authentication.
    public var username: String?
    /// The password.
    public var password: String?
    /// The TLS options for the connection to an ``Scheme/https`` proxy; the connection to the server has its own.
    public var tls = TLSOptions()

    /// Creates a proxy.
    public init(_ scheme: Scheme, host: String, port: Int, username: String? = nil, password: String? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.username = username
        self.password = password
    }

    /// Creates a proxy from a URL such as `http://user:password@proxy.example:3128` or `socks5h://127.0.0.1`.
    ///
    /// The default scheme is HTTP. The default port is 443 for `https` and 1080 otherwise, as in curl. User name and
    /// password are percent-decoded.
    /// - Throws: ``ConnectionSettingError`` if the URL is invalid or its scheme is not supported.
    public init(_ text: String) throws(ConnectionSettingError) {
        func problem(_ words: String) -> ConnectionSettingError {
            ConnectionSettingError(message: "the proxy \"\(Self.withoutPassword(text))\" \(words)")
        }
        var rest = text[...]
        var scheme = Scheme.http
        if let mark = text.firstRange(of: "://") {
            let name = text[..<mark.lowerBound].lowercased()
            guard let known = Scheme(rawValue: name) else {
                let kinds = Scheme.allCases.map { "\($0.rawValue)://" }.joined(separator: ", ")
                throw problem("has the unsupported scheme \"\(name)\"; expected \(kinds)")
            }
            scheme = known
            rest = text[mark.upperBound...]
        }
        if let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }) {
            guard rest[end...] == "/" else { throw problem("has a path; remove it") }
            rest = rest[..<end]
        }
        var user: Substring?
        if let mark = rest.lastIndex(of: "@") {
            user = rest[..<mark]
            rest = rest[rest.index(after: mark)...]
        }
        let url: HTTPURL
        do {
            // The rules for host and port are those of URLs. The scheme is chosen to distinguish an explicit port 80
            // from the default.
            url = try HTTPURL((rest.hasSuffix(":80") ? "https" : "http") + "://" + rest)
        } catch {
            throw problem("is not valid: \(error.wording)")
        }
        let hasPort = rest.hasSuffix(":80") || url.port != 80
        self.init(scheme, host: url.host, port: hasPort ? url.port : scheme.defaultPort)
        if let user {
            let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            username = PercentEncoding.decode(parts.first ?? "")
            password = parts.count > 1 ? PercentEncoding.decode(parts[1]) : nil
        }
    }

    /// The host and port, for messages.
    var target: String { IPAddress.authority(host, port) }

    /// The value of `Proxy-Authorization` (Basic, RFC 7617); nil without a user name.
    var authorization: String? {
        guard let username else { return nil }
        return "Basic " + Base64.encode(Array("\(username):\(password ?? "")".utf8))
    }

    private static func withoutPassword(_ text: String) -> String {
        guard let mark = text.lastIndex(of: "@") else { return text }
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        guard start < mark, let colon = text[start..<mark].firstIndex(of: ":") else { return text }
        return text[...colon] + "***" + text[mark...]
    }
}

extension Proxy: CustomStringConvertible {
    /// The proxy URL without user name and password.
    public var description: String { "\(scheme.rawValue)://\(target)" }
}
