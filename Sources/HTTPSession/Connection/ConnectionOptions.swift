/// How connections to a server are made: TLS, version of HTTP, proxy, and where the host is.
///
/// Exchanges share a connection only if their options are equal. Copies of one value are compared by identity first, so
/// make the options of many requests once.
public struct ConnectionOptions: Sendable {
    private struct Values: Sendable, Hashable {
        var tls = TLSOptions()
        var version = HTTPVersionPolicy.automatic
        var proxy = ProxyPolicy.none
        var unixSocket: String?
        var resolve: [ResolveOverride] = []
    }

    private final class Storage: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    private static let standard = Storage(Values())

    private var storage: Storage

    /// Creates the standard options: the system's trust, HTTP/2 where a server offers it over TLS, no proxy.
    public init() { storage = Self.standard }

    /// Whom to trust over TLS, and as whom to appear.
    public var tls: TLSOptions {
        get { storage.values.tls }
        set { change { $0.tls = newValue } }
    }

    /// The version of HTTP.
    public var version: HTTPVersionPolicy {
        get { storage.values.version }
        set { change { $0.version = newValue } }
    }

    /// The proxy that requests go through.
    public var proxy: ProxyPolicy {
        get { storage.values.proxy }
        set { change { $0.proxy = newValue } }
    }

    /// The path of a unix domain socket to connect to instead of the URL's host and port.
    public var unixSocket: String? {
        get { storage.values.unixSocket }
        set { change { $0.unixSocket = newValue } }
    }

    /// Addresses that stand in for names; the first that matches host and port is taken.
    public var resolve: [ResolveOverride] {
        get { storage.values.resolve }
        set { change { $0.resolve = newValue } }
    }

    private mutating func change(_ body: (inout Values) -> Void) {
        var values = storage.values
        body(&values)
        storage = Storage(values)
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
