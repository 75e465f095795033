/// The options by which connections to a server are made: TLS, version of HTTP, proxy, and where the host is.
///
/// A request has the options that it sets, and the session's for all others:
///
/// ```swift
/// var request = Request(.get, url: "http://localhost:8080/")
/// request.connection.proxy = .direct
/// ```
///
/// Exchanges share a connection only if their options are equal. Copies of one value are compared by identity first, so
/// make the options of many requests once.
public struct ConnectionOptions: Sendable {
    private struct Values: Sendable, Hashable {
        var tls = TLSOptions()
        var version = HTTPVersionPolicy.automatic
        var proxy = ProxyPolicy.direct
        var unixSocket: String?
        var resolve: [ResolveOverride] = []
    }

    /// The options that were set.
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

    /// Creates the standard options: the system's trust, HTTP/2 where a server offers it over TLS, no proxy.
    public init() { storage = Self.standard }

    /// Returns options that a function has set, for use in an expression.
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

    /// The trust policy, client certificate and versions of TLS, each of which is merged by itself.
    public var tls: TLSOptions {
        get { storage.values.tls }
        set { change(.tls) { $0.tls = newValue } }
    }

    /// The version of HTTP.
    public var version: HTTPVersionPolicy {
        get { storage.values.version }
        set { change(.version) { $0.version = newValue } }
    }

    /// The proxy that requests go through.
    public var proxy: ProxyPolicy {
        get { storage.values.proxy }
        set { change(.proxy) { $0.proxy = newValue } }
    }

    /// The path of a unix domain socket to connect to instead of the URL's host and port.
    public var unixSocket: String? {
        get { storage.values.unixSocket }
        set { change(.unixSocket) { $0.unixSocket = newValue } }
    }

    /// Addresses that stand in for names; the first that matches host and port is taken.
    public var resolve: [ResolveOverride] {
        get { storage.values.resolve }
        set { change(.resolve) { $0.resolve = newValue } }
    }

    private mutating func change(_ field: Fields, _ body: (inout Values) -> Void) {
        var values = storage.values
        body(&values)
        storage = Storage(values, storage.fields.union(field))
    }

    /// The options that were set.
    var fields: Fields { storage.fields }

    /// Whether no option was set, so that a request with these takes all of the session's.
    public var isInherited: Bool { storage.fields.isEmpty }

    /// Returns these options with those of `base` in place of the ones that are not set.
    public func inheriting(from base: ConnectionOptions) -> ConnectionOptions {
        // Most are one or the other as a whole, which keeps the identity that connections are found by.
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
    /// Whether connections can be shared.
    public static func == (first: ConnectionOptions, second: ConnectionOptions) -> Bool {
        first.storage === second.storage || first.storage.values == second.storage.values
    }

    /// Feeds the options to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.values)
    }
}

/// Addresses that stand in for a host name, as in `api.example.org:443:127.0.0.1`.
public struct ResolveOverride: Sendable, Hashable {
    /// An IP address, and a port if it is not the URL's.
    public struct Address: Sendable, Hashable {
        /// The IP address, without brackets.
        public var ip: String
        /// The port to connect to; nil for the URL's.
        public var port: Int?

        /// Creates an address.
        public init(_ ip: String, port: Int? = nil) {
            self.ip = ip
            self.port = port
        }
    }

    /// The host as it is in URLs, in lower case; `*` for every host.
    public var host: String
    /// The port of the URL that this is for; nil for every port.
    public var port: Int?
    /// The addresses to connect to; of several the first that answers is taken (RFC 8305).
    public var addresses: [Address]

    /// The first IP address to connect to.
    public var address: String { addresses.first?.ip ?? "" }
    /// The port to connect to there; nil for the URL's.
    public var addressPort: Int? { addresses.first?.port }

    /// Creates an override.
    public init(host: String, port: Int? = nil, address: String, addressPort: Int? = nil) {
        self.init(host: host, port: port, addresses: [Address(address, port: addressPort)])
    }

    /// Creates an override with several addresses.
    public init(host: String, port: Int? = nil, addresses: [Address]) {
        self.host = host.lowercased()
        self.port = port
        self.addresses = addresses
    }

    /// Reads an override as curl's `--resolve` takes it, with a port behind an address where that is another one.
    ///
    /// `HOST:PORT:ADDRESS[,ADDRESS]…`, where HOST and PORT may be `*`, and ADDRESS is `127.0.0.1`, `::1`, `[::1]`,
    /// `127.0.0.1:8443` or `[::1]:8443`.
    /// - Throws: ``ConnectionSettingError`` if it is not that.
    public init(_ text: String) throws(ConnectionSettingError) {
        func problem(_ words: String) -> ConnectionSettingError {
            ConnectionSettingError(message: "\"\(text)\" \(words); what is expected is HOST:PORT:ADDRESS")
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
            throw problem("has no port from 1 to 65535, or \"*\", after the host")
        }
        var addresses: [Address] = []
        for part in rest.split(separator: ",", omittingEmptySubsequences: false) {
            guard let address = Address(parsing: part) else { throw problem("has no IP address in \"\(part)\"") }
            addresses.append(address)
        }
        guard !addresses.isEmpty else { throw problem("has no address") }
        self.init(host: String(host), port: port, addresses: addresses)
    }

    /// Whether this is for a host, in lower case, at a port.
    func matches(host: String, port: Int) -> Bool {
        (self.host == host || self.host == "*") && (self.port == nil || self.port == port)
    }
}

extension ResolveOverride.Address {
    /// Reads an address with an optional port; an IPv6 address with a port is in brackets.
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
