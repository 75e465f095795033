/// The way from here to a server.
enum ConnectRoute {
    case direct
    case unixSocket(String)
    /// Requests are sent to the proxy, which forwards them.
    case forwarding(Proxy)
    /// The proxy connects to the server and passes on bytes.
    case tunnel(Proxy)

    /// Finds the way for requests to an origin.
    /// - Parameters:
    ///   - url: A URL of the origin.
    ///   - options: How connections are made.
    ///   - isExclusive: Whether the connection will not be one of HTTP/1 requests, which is what a proxy can forward.
    init(to url: HTTPURL, options: ConnectionOptions, isExclusive: Bool) {
        if let path = options.unixSocket {
            self = .unixSocket(path)
        } else if let proxy = options.proxy.proxy(for: url) {
            let isHTTP = proxy.scheme == .http || proxy.scheme == .https
            self = isHTTP && !url.isSecure && !isExclusive ? .forwarding(proxy) : .tunnel(proxy)
        } else {
            self = .direct
        }
    }

    /// The proxy, if there is one.
    var proxy: Proxy? {
        switch self {
        case .direct, .unixSocket: nil
        case .forwarding(let proxy), .tunnel(let proxy): proxy
        }
    }

    /// Whether HTTP/1 requests name the whole URL.
    var usesAbsoluteForm: Bool { if case .forwarding = self { true } else { false } }
}
