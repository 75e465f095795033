/// A version of HTTP.
public struct HTTPVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The part before the dot.
    public var major: UInt8
    /// The part after the dot.
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

    /// The version as in a status line, as in `HTTP/1.1` or `HTTP/2`.
    public var description: String { major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }

    /// Whether the first version is older.
    public static func < (first: HTTPVersion, second: HTTPVersion) -> Bool {
        (first.major, first.minor) < (second.major, second.minor)
    }
}
