/// A part of a server that one credential is for (RFC 9110 section 11.5).
struct ProtectionSpace: Sendable {
    var origin: HTTPURL
    /// What the paths begin with; none for the whole server.
    var prefixes: [String]

    func contains(_ url: HTTPURL) -> Bool {
        guard url.hasSameOrigin(as: origin) else { return false }
        guard !prefixes.isEmpty else { return true }
        let path = url.path
        return prefixes.contains { Self.covers($0, path) }
    }

    private static func covers(_ prefix: String, _ path: String) -> Bool {
        guard path.utf8.starts(with: prefix.utf8) else { return false }
        return prefix.utf8.last == UInt8(ascii: "/") || path.utf8.count == prefix.utf8.count
            || path.utf8.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
    }

    /// The folder that a path is in (RFC 7617 section 2.2).
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(path[...slash])
    }
}
