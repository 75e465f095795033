import Basics

/// The options of connections to servers: TLS settings, HTTP version, proxy and address overrides.
///
/// A request uses the options that it sets, and the session's values for all others:
///
/// ```swift
/// var request = Request(.get, url: "http://localhost:8080/")
/// request.connection.proxy = .direct
/// ```
///
/// Exchanges share a connection only if their options are equal. Copies of the same value are compared by identity
/// first, so create the options of many requests once and copy them.
public struct ConnectionOptions: Sendable {
    private struct Values: Sendable, Hashable {
        var tls = TLSOptions()
        var version = HTTPVersionPolicy.automatic
        var proxy = ProxyPolicy.direct
        var unixSocket: String?
        var resolve: [ResolveOverride] = []
    }

    /// The set of options that have been assigned.
    struct Fields: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let tls = Fields(rawValue: 1)
        static let version = Fields(rawValue: 2)
        static let proxy = Fields(rawValue: 4)
        static let unixSocket = Fields(rawValue: 8)
        static let resolve = Fields(rawValue: 16)
    }

    private final class Storage: Sendable {
        let values: Values
        let fields: Fields

        init(_ values: Values, _ fields: Fields) {
            self.values = values
            self.fields = fields
        }
    }

    private static let standard = Storage(Values(), [])

    private var storage: Storage

    /// Creates the default options: the system's trust store, HTTP/2 if a TLS server offers it, and no proxy.
    public init() { storage = Self.standard }

    /// Returns options configured by a closure, for use in an expression.
    ///
    /// ```swift
    /// let configuration = SessionConfiguration(connection: .with { $0.version = .http2 })
    /// ```
    public static func with<Failure: Error>(
        _ change: (inout ConnectionOptions) throws(Failure) -> Void
    ) throws(Failure) -> ConnectionOptions {
        var options = ConnectionOptions()
        try change(&options)
        return options
    }

    /// The TLS options: trust policy, client certificate and TLS versions. Each of them is inherited separately.
    public var tls: TLSOptions {
        get { storage.values.tls }
        set { change(.tls) { $0.tls = newValue } }
    }

    /// The HTTP version policy.
    public var version: HTTPVersionPolicy {
        get { storage.values.version }
        set { change(.version) { $0.version = newValue } }
    }

    /// The proxy policy.
    public var proxy: ProxyPolicy {
        get { storage.values.proxy }
        set { change(.proxy) { $0.proxy = newValue } }
    }

    /// The path of a Unix domain socket to connect to instead of the URL's host and port.
    public var unixSocket: String? {
        get { storage.values.unixSocket }
        set { change(.unixSocket) { $0.unixSocket = newValue } }
    }

    /// The addresses to use in place of name resolution; the first override that matches the host and port applies.
    public var resolve: [ResolveOverride] {
        get { storage.values.resolve }
        set { change(.resolve) { $0.resolve = newValue } }
    }

    private mutating func change(_ field: Fields, _ body: (inout Values) -> Void) {
        var values = storage.values
        body(&values)
        storage = Storage(values, storage.fields.union(field))
    }

    /// The set of options that have been assigned.
    var fields: Fields { storage.fields }

    /// Whether no option is set, so that a request inherits all of the session's options.
    public var isInherited: Bool { storage.fields.isEmpty }

    /// Returns these options, with unset ones inherited from `base`.
    public func inheriting(from base: ConnectionOptions) -> ConnectionOptions {
        // Most options are entirely inherited or entirely set. Returning one of the two keeps its identity, which
        // speeds up the lookup of connections.
        if isInherited { return base }
        if fields.isSuperset(of: base.fields), tls.fields.isSuperset(of: base.tls.fields) { return self }
        var merged = base
        if storage.fields.contains(.tls) { merged.tls = tls.inheriting(from: base.tls) }
        if storage.fields.contains(.version) { merged.version = version }
        if storage.fields.contains(.proxy) { merged.proxy = proxy }
        if storage.fields.contains(.unixSocket) { merged.unixSocket = unixSocket }
        if storage.fields.contains(.resolve) { merged.resolve = resolve }
        return merged
    }
}

extension ConnectionOptions: Hashable {
    /// Returns whether two values are equal, so that exchanges can share a connection.
    public static func == (first: ConnectionOptions, second: ConnectionOptions) -> Bool {
        first.storage === second.storage || first.storage.values == second.storage.values
    }

    /// Hashes the options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.values)
    }
}

/// The addresses to use in place of resolving a host name, as in `api.example.org:443:127.0.0.1`.
///
/// ```swift
/// configuration.connection.resolve = [try ResolveOverride("api.example.org:443:127.0.0.1:8443")]
/// ```
public struct ResolveOverride: Sendable, Hashable {
    /// An IP address, with a port if it differs from the URL's.
    public struct Address: Sendable, Hashable {
        /// The IP address, without brackets.
        public var ip: String
        /// The port to connect to; nil means the URL's port.
        public var port: Int?

        /// Creates an address.
        /// - Parameters:
        ///   - ip: The IP address, without brackets.
        ///   - port: The port to connect to; nil means the URL's port.
        public init(_ ip: String, port: Int? = nil) {
            self.ip = ip
            self.port = port
        }
    }

    /// The host as it appears in URLs, in lowercase; `*` matches every host.
    public var host: String
    /// The port of the URLs that the override applies to; nil matches every port.
    public var port: Int?
    /// The addresses to connect to; if there are several, the first one that accepts is used (RFC 8305).
    public var addresses: [Address]

    /// The first IP address to connect to.
    public var address: String { addresses.first?.ip ?? "" }
    /// The port to connect to at the first address; nil means the URL's port.
    public var addressPort: Int? { addresses.first?.port }

    /// Creates an override with a single address.
    /// - Parameters:
    ///   - host: The host as it appears in URLs; `*` matches every host.
    ///   - port: The port of the URLs that the override applies to; nil matches every port.
    ///   - address: The IP address to connect to, without brackets.
    ///   - addressPort: The port to connect to; nil means the URL's port.
    public init(host: String, port: Int? = nil, address: String, addressPort: Int? = nil) {
        self.init(host: host, port: port, addresses: [Address(address, port: addressPort)])
    }

    /// Creates an override with several addresses.
    /// - Parameters:
    ///   - host: The host as it appears in URLs; `*` matches every host.
    ///   - port: The port of the URLs that the override applies to; nil matches every port.
    ///   - addresses: The addresses to connect to.
    public init(host: String, port: Int? = nil, addresses: [Address]) {
        self.host = host.lowercased()
        self.port = port
        self.addresses = addresses
    }

    /// Creates an override from a string in the format of curl's `--resolve` option.
    ///
    /// The format is `HOST:PORT:ADDRESS[,ADDRESS]…`. HOST and PORT may be `*`. In addition to curl's format, an ADDRESS
    /// may have its own port: `127.0.0.1`, `::1`, `[::1]`, `127.0.0.1:8443` or `[::1]:8443`.
    /// - Throws: ``ConnectionSettingError`` if the string does not have this format.
    public init(_ text: String) throws(ConnectionSettingError) {
        func problem(_ words: String) -> ConnectionSettingError {
            ConnectionSettingError(message: "\"\(text)\" \(words); expected HOST:PORT:ADDRESS")
        }
        var rest = text[...]
        if rest.first == "+" { rest = rest.dropFirst() }
        let host: Substring
        if rest.first == "[", let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest[host.endIndex...]
        }
        guard !host.isEmpty, rest.first == ":" else { throw problem("has no host and port") }
        rest = rest.dropFirst()
        let portText = rest.prefix { $0 != ":" }
        rest = rest[portText.endIndex...].dropFirst()
        let port = Int(portText)
        guard portText == "*" || port.map({ (1...65535).contains($0) }) == true else {
            throw problem("must have a port from 1 to 65535 or \"*\" after the host")
        }
        var addresses: [Address] = []
        for part in rest.split(separator: ",", omittingEmptySubsequences: false) {
            guard let address = Address(parsing: part) else { throw problem("has an invalid IP address \"\(part)\"") }
            addresses.append(address)
        }
        guard !addresses.isEmpty else { throw problem("has no address") }
        self.init(host: String(host), port: port, addresses: addresses)
    }

    /// Returns whether the override applies to a host, in lowercase, and a port.
    func matches(host: String, port: Int) -> Bool {
        (self.host == host || self.host == "*") && (self.port == nil || self.port == port)
    }
}

extension ResolveOverride.Address {
    /// Parses an address with an optional port; an IPv6 address with a port is in brackets.
    fileprivate init?(parsing text: Substring) {
        if text.first == "[", let end = text.firstIndex(of: "]") {
            let address = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            self.init(ip: address, port: rest)
        } else if let colon = text.firstIndex(of: ":"), !text[text.index(after: colon)...].contains(":") {
            self.init(ip: text[..<colon], port: text[colon...])
        } else {
            self.init(ip: text, port: "")
        }
    }

    private init?(ip: Substring, port: Substring) {
        guard IPAddress.bytes(String(ip)) != nil else { return nil }
        self.init(String(ip))
        guard !port.isEmpty else { return }
        guard port.first == ":", let number = Int(port.dropFirst()), (1...65535).contains(number) else { return nil }
        self.port = number
    }
}
