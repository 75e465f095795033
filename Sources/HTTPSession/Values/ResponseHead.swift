/// The status line and header of a response.
public struct ResponseHead: Sendable, Equatable {
    /// The version in the status line.
    public var version: HTTPVersion
    /// The status code, 100 to 999.
    public var status: Int
    /// The reason phrase, often empty.
    public var reason: String
    /// The header.
    public var headers: HTTPHeaders

    /// Creates a head.
    public init(version: HTTPVersion = .http11, status: Int, reason: String = "", headers: HTTPHeaders = .init()) {
        self.version = version
        self.status = status
        self.reason = reason
        self.headers = headers
    }
}
