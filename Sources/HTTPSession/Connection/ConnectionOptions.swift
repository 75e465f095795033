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
