import Basics

/// The policy that selects a proxy for each request.
public struct ProxyPolicy: Sendable, Hashable {
    /// The proxy for `http` URLs; nil to connect directly.
    public var http: Proxy?
    /// The proxy for `https` URLs; nil to connect directly.
    public var https: Proxy?
    /// The hosts to connect to directly, as in curl's variable `no_proxy`.
    ///
    /// A name matches the host and all its subdomains, with or without a leading dot. An IP address matches itself,
    /// `10.0.0.0/8` a network, `name:8080` one port, and `*` every host.
    public var exceptions: [String] {
        didSet { rules = exceptions.compactMap(ProxyException.init) }
    }
    private var rules: [ProxyException]

    /// The default policy: no proxy, servers are connected to directly.
    public static let direct = ProxyPolicy(proxy: nil)

    /// Returns a policy with one proxy for every request.
    public static func proxy(_ proxy: Proxy, except exceptions: [String] = []) -> ProxyPolicy {
        ProxyPolicy(proxy: proxy, exceptions: exceptions)
    }

    /// Creates a policy with one proxy for all URLs.
    public init(proxy: Proxy?, exceptions: [String] = []) {
        self.init(http: proxy, https: proxy, exceptions: exceptions)
    }

    /// Creates a policy with a proxy for each scheme.
    public init(http: Proxy?, https: Proxy?, exceptions: [String] = []) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
        rules = exceptions.compactMap(ProxyException.init)
    }

    /// Creates the policy that environment variables define, following curl's rules.
    ///
    /// The variables are `http_proxy`, `https_proxy`, `all_proxy` as the fallback for both schemes, and `no_proxy`, in
    /// lowercase or uppercase; lowercase precedes. Empty variables are ignored. In a CGI program, where
    /// `REQUEST_METHOD` is set, `HTTP_PROXY` is ignored too, because a client can set it.
    /// - Throws: ``ConnectionSettingError`` if the value of a variable is not a proxy.
    public static func environment(_ variables: [String: String]) throws(ConnectionSettingError) -> ProxyPolicy {
        func value(_ names: String...) -> (name: String, text: String)? {
            for name in names {
                if let text = variables[name], !text.isEmpty { return (name, text) }
            }
            return nil
        }
        func proxy(_ value: (name: String, text: String)?) throws(ConnectionSettingError) -> Proxy? {
            guard let value else { return nil }
            do throws(ConnectionSettingError) {
                return try Proxy(value.text)
            } catch {
                throw ConnectionSettingError(message: "the environment variable \(value.name): \(error.wording)")
            }
        }
        let plain = variables["REQUEST_METHOD"] == nil ? value("http_proxy", "HTTP_PROXY") : value("http_proxy")
        let all = value("all_proxy", "ALL_PROXY")
        let exceptions = value("no_proxy", "NO_PROXY").map { Self.exceptions(in: $0.text) } ?? []
        return ProxyPolicy(
            http: try proxy(plain ?? all), https: try proxy(value("https_proxy", "HTTPS_PROXY") ?? all),
            exceptions: exceptions)
    }

    /// Splits a list as in `no_proxy` at commas and whitespace.
    public static func exceptions(in text: String) -> [String] {
        text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// Returns the proxy for a URL; nil for a direct connection.
    public func proxy(for url: HTTPURL) -> Proxy? {
        guard let proxy = url.isSecure ? https : http else { return nil }
        if rules.isEmpty { return proxy }
        let address = IPAddress.bytes(url.host)
        return rules.contains { $0.matches(url.host, address: address, port: url.port) } ? nil : proxy
    }
}

/// An entry of `no_proxy`: hosts that are connected to directly.
struct ProxyException: Sendable, Hashable {
    private enum Hosts: Hashable {
        case all
        /// The name and all its subdomains, lowercased, without leading and trailing dots.
        case name(String)
        case network(address: [UInt8], bits: Int)
    }

    private let hosts: Hosts
    private let port: Int?

    /// Creates an exception from an entry of `no_proxy`; nil if it is empty.
    init?(_ text: String) {
        var rest = text.lowercased()[...]
        var port: Int?
        if let colon = rest.lastIndex(of: ":"), let number = Int(rest[rest.index(after: colon)...]),
            rest[..<colon].last == "]" || !rest[..<colon].contains(":")
        {
            port = number
            rest = rest[..<colon]
        }
        self.port = port
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            rest = rest[rest.index(after: rest.startIndex)..<end] + rest[rest.index(after: end)...]
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        if let address = IPAddress.bytes(String(parts.first ?? "")) {
            let maximum = address.count * 8
            let bits = parts.count > 1 ? Int(parts[1]) ?? maximum : maximum
            hosts = .network(address: address, bits: max(0, min(bits, maximum)))
            return
        }
        while rest.first == "." { rest = rest.dropFirst() }
        while rest.last == "." { rest = rest.dropLast() }
        if rest.hasPrefix("*.") { rest = rest.dropFirst(2) }
        guard !rest.isEmpty else { return nil }
        hosts = rest == "*" ? .all : .name(String(rest))
    }

    /// Returns whether the entry matches a host.
    /// - Parameters:
    ///   - host: The host in lowercase.
    ///   - address: The bytes of the host if it is an IP address.
    ///   - port: The port of the URL.
    func matches(_ host: String, address: [UInt8]?, port: Int) -> Bool {
        if let own = self.port, own != port { return false }
        switch hosts {
        case .all: return true
        case .network(let network, let bits):
            guard let address, address.count == network.count else { return false }
            for index in 0..<network.count {
                let rest = bits - index * 8
                guard rest > 0 else { break }
                let mask: UInt8 = rest >= 8 ? 0xFF : ~(0xFF >> UInt8(rest))
                if address[index] & mask != network[index] & mask { return false }
            }
            return true
        case .name(let name):
            guard address == nil else { return false }
            let host = host.utf8.last == UInt8(ascii: ".") ? host.dropLast() : host[...]
            return host == name || host.hasSuffix("." + name)
        }
    }
}
