/// A proxy server.
public struct Proxy: Sendable, Hashable {
    /// How a proxy is spoken to.
    public enum Scheme: String, Sendable, Hashable {
        /// HTTP: requests for `http` URLs are sent to it whole, for others a tunnel is opened with CONNECT.
        case http
        /// As ``http``, over TLS.
        case https
        /// SOCKS version 5 (RFC 1928), names resolved here.
        case socks5
        /// SOCKS version 5, names resolved by the proxy.
        case socks5h
    }

    /// How it is spoken to.
    public var scheme: Scheme
    /// Its host.
    public var host: String
    /// Its port.
    public var port: Int
    /// The user name, where it asks for one.
    public var username: String?
    /// The password.
    public var password: String?

    /// Creates a proxy.
    public init(_ scheme: Scheme, host: String, port: Int, username: String? = nil, password: String? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.username = username
        self.password = password
    }
}
