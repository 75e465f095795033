import Basics

/// A proxy server.
public struct Proxy: Sendable, Hashable {
    /// How a proxy is spoken to.
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        /// HTTP: requests for `http` URLs are sent to it whole, for others a tunnel is opened with CONNECT.
        case http
        /// As ``http``, over TLS.
        case https
        /// SOCKS version 5 (RFC 1928), names resolved here.
        case socks5
        /// SOCKS version 5, names resolved by the proxy.
        case socks5h

        /// The port of a proxy whose URL has none, as curl has it.
        var defaultPort: Int { self == .https ? 443 : 1080 }
    }

    /// How it is spoken to.
    public var scheme: Scheme
    /// Its host; an IPv6 address without brackets.
    public var host: String
    /// Its port.
    public var port: Int
    /// The user name, where it asks for one.
    public var username: String?
    /// The password.
    public var password: String?
    /// How the connection to an ``Scheme/https`` proxy is secured; that to the server behind it has options of its own.
    public var tls = TLSOptions()

    /// Creates a proxy.
    public init(_ scheme: Scheme, host: String, port: Int, username: String? = nil, password: String? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.username = username
        self.password = password
    }

    /// Reads a proxy from a URL such as `http://user:password@proxy.example:3128` or `socks5h://127.0.0.1`.
    ///
    /// Without a scheme it is an HTTP proxy. Without a port it is 443 for `https` and 1080 otherwise, as curl has it.
    /// User name and password are percent-decoded.
    /// - Throws: ``ConnectionSettingError`` if it is not one, or of a kind that is not supported.
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
                throw problem("has the scheme \"\(name)\"; it may be \(kinds)")
            }
            scheme = known
            rest = text[mark.upperBound...]
        }
        if let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }) {
            guard rest[end...] == "/" else { throw problem("has a path, which means nothing for a proxy") }
            rest = rest[..<end]
        }
        var user: Substring?
        if let mark = rest.lastIndex(of: "@") {
            user = rest[..<mark]
            rest = rest[rest.index(after: mark)...]
        }
        let url: HTTPURL
        do {
            // The rules for the host and port of a URL are the same; "http" keeps a port of 80 apart from none.
            url = try HTTPURL((rest.hasSuffix(":80") ? "https" : "http") + "://" + rest)
        } catch {
            throw problem("is not valid: \(error.message)")
        }
        let hasPort = rest.hasSuffix(":80") || url.port != 80
        self.init(scheme, host: url.host, port: hasPort ? url.port : scheme.defaultPort)
        if let user {
            let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            username = PercentEncoding.decode(parts.first ?? "")
            password = parts.count > 1 ? PercentEncoding.decode(parts[1]) : nil
        }
    }

    /// Host and port as a person writes them.
    var target: String { IPAddress.authority(host, port) }

    /// The value of `Proxy-Authorization` (Basic, RFC 7617), if there is a user name.
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
    /// The proxy's URL without user name and password.
    public var description: String { "\(scheme.rawValue)://\(target)" }
}
