/// Which requests go through which proxy.
public struct ProxyPolicy: Sendable, Hashable {
    /// The proxy for `http` URLs, or nil to connect directly.
    public var http: Proxy?
    /// The proxy for `https` URLs, or nil to connect directly.
    public var https: Proxy?
    /// Hosts that are connected to directly, as in the variable `no_proxy` of curl.
    ///
    /// A name stands for the host and all names below it, with or without a dot before it. An IP address stands for
    /// itself, `10.0.0.0/8` for a network, `name:8080` for one port, `*` for every host.
    public var exceptions: [String] {
        didSet { rules = exceptions.compactMap(ProxyException.init) }
    }
    private var rules: [ProxyException]

    /// No proxy: servers are connected to directly. The default.
    public static let direct = ProxyPolicy(proxy: nil)

    /// One proxy for every request.
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

    /// The policy that environment variables ask for, by curl's rules.
    ///
    /// `http_proxy` (in lower case only: a CGI program's client can set `HTTP_PROXY`), `https_proxy`, `all_proxy` for a
    /// scheme that has none of its own, and `no_proxy`, these in lower or upper case. An empty variable is as good as none.
    /// - Throws: ``ConnectionSettingError`` if a variable does not hold a proxy.
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
                throw ConnectionSettingError(message: "the environment variable \(value.name): \(error.message)")
            }
        }
        let all = value("all_proxy", "ALL_PROXY")
        let exceptions = value("no_proxy", "NO_PROXY").map { Self.exceptions(in: $0.text) } ?? []
        return ProxyPolicy(
            http: try proxy(value("http_proxy") ?? all), https: try proxy(value("https_proxy", "HTTPS_PROXY") ?? all),
            exceptions: exceptions)
    }

    /// Takes a list as in `no_proxy` apart, at commas and white space.
    public static func exceptions(in text: String) -> [String] {
        text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// The proxy that requests for a URL go through; nil for a direct connection.
    public func proxy(for url: HTTPURL) -> Proxy? {
        guard let proxy = url.isSecure ? https : http else { return nil }
        if rules.isEmpty { return proxy }
        let address = IPAddress.bytes(url.host)
        return rules.contains { $0.matches(url.host, address: address, port: url.port) } ? nil : proxy
    }
}

/// Hosts that are connected to without a proxy: an entry of `no_proxy`.
struct ProxyException: Sendable, Hashable {
    private enum Hosts: Hashable {
        case all
        /// The name and all below it, in lower case, without dots at its ends.
        case name(String)
        case network(address: [UInt8], bits: Int)
    }

    private let hosts: Hosts
    private let port: Int?

    /// Reads an entry; nil if it is empty.
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
            let most = address.count * 8
            let bits = parts.count > 1 ? Int(parts[1]) ?? most : most
            hosts = .network(address: address, bits: max(0, min(bits, most)))
            return
        }
        while rest.first == "." { rest = rest.dropFirst() }
        while rest.last == "." { rest = rest.dropLast() }
        if rest.hasPrefix("*.") { rest = rest.dropFirst(2) }
        guard !rest.isEmpty else { return nil }
        hosts = rest == "*" ? .all : .name(String(rest))
    }

    /// Whether a host is meant.
    /// - Parameters:
    ///   - host: The host in lower case.
    ///   - address: Its bytes, if it is an IP address.
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
