/// The status line and header of a response.
public struct ResponseHead: Sendable, Equatable {
    /// The version in the status line.
    public var version: HTTPVersion
    /// The status code, 100 to 999.
    public var status: Int
    /// The reason phrase, often empty.
    public var reason: String
    /// The header fields.
    public var headers: HTTPHeaders

    /// Creates a response head.
    public init(version: HTTPVersion = .http11, status: Int, reason: String = "", headers: HTTPHeaders = .init()) {
        self.version = version
        self.status = status
        self.reason = reason
        self.headers = headers
    }
}

/// A version of HTTP.
public struct HTTPVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The major version.
    public var major: UInt8
    /// The minor version.
    public var minor: UInt8

    /// Creates a version.
    public init(major: UInt8, minor: UInt8) {
        self.major = major
        self.minor = minor
    }

    /// HTTP/1.0.
    public static let http10 = HTTPVersion(major: 1, minor: 0)
    /// HTTP/1.1.
    public static let http11 = HTTPVersion(major: 1, minor: 1)
    /// HTTP/2.
    public static let http2 = HTTPVersion(major: 2, minor: 0)

    /// The version as in a status line: `HTTP/1.1` or `HTTP/2`.
    public var description: String { major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }

    /// Returns whether the first version is older than the second.
    public static func < (first: HTTPVersion, second: HTTPVersion) -> Bool {
        (first.major, first.minor) < (second.major, second.minor)
    }
}

/// The policy for choosing the HTTP version of a request.
public enum HTTPVersionPolicy: Sendable, Hashable {
    /// HTTP/2 where the server agrees to it in the TLS handshake (ALPN, RFC 7301), otherwise HTTP/1.1.
    case automatic
    /// HTTP/1.0, one exchange per connection unless the server keeps it alive.
    case http10
    /// HTTP/1.1.
    case http11
    /// HTTP/2: over TLS the server must negotiate it, over plain TCP it is used with prior knowledge (RFC 9113, section
    /// 3.3).
    case http2
}
