import Basics
import FileSystem
import SuiteModel

/// Absolute paths as `file` URIs (RFC 8089) and back.
enum FileURI {
    private static let prefix = "file://"

    /// The URI of an absolute path.
    static func uri(ofPath path: String) -> String {
        prefix + encode(path)
    }

    /// The relative reference of a path, or for an absolute path one that begins with its root.
    static func reference(toPath path: String) -> String {
        encode(path)
    }

    /// The path that a `file` URI names, or nil for any other URI.
    static func path(of uri: String) -> String? {
        guard uri.hasPrefix(prefix) else { return nil }
        let rest = uri.dropFirst(prefix.count)
        guard rest.hasPrefix("/") else { return nil }
        return Path.normalized(PercentEncoding.decode(rest))
    }

    /// A path with its segments percent-encoded.
    private static func encode(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode($0) }
            .joined(separator: "/")
    }
}
