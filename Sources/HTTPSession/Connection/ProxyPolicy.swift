/// Which requests go through which proxy.
public struct ProxyPolicy: Sendable, Hashable {
    /// The proxy, or nil to connect directly.
    public var proxy: Proxy?
    /// Hosts that are connected to directly.
    public var exceptions: [String]

    /// No proxy. The default.
    public static let none = ProxyPolicy(proxy: nil)

    /// Creates a policy.
    public init(proxy: Proxy?, exceptions: [String] = []) {
        self.proxy = proxy
        self.exceptions = exceptions
    }
}
