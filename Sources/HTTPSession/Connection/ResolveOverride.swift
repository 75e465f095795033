/// An address that stands in for a host name, as in `api.example.org:443:127.0.0.1`.
public struct ResolveOverride: Sendable, Hashable {
    /// The host as it is in URLs, in lower case.
    public var host: String
    /// The port of the URL that this is for; nil for every port.
    public var port: Int?
    /// The IP address to connect to.
    public var address: String
    /// The port to connect to; nil for the URL's.
    public var addressPort: Int?

    /// Creates an override.
    public init(host: String, port: Int? = nil, address: String, addressPort: Int? = nil) {
        self.host = host.lowercased()
        self.port = port
        self.address = address
        self.addressPort = addressPort
    }
}
