/// The request line of an exchange, and the status of its response.
public struct ExchangeOutline: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The absolute URL of the request that was sent last: after redirects, the final one.
    public var url: String
    /// The status code; nil when no response came.
    public var status: Int?

    /// Creates an outline.
    public init(method: String, url: String, status: Int?) {
        self.method = method
        self.url = url
        self.status = status
    }

    /// Creates the outline of an exchange.
    public init(_ exchange: Exchange) {
        let request = exchange.request
        self.init(method: request.method, url: request.url, status: exchange.response?.status)
    }
}
