import Basics
import JSON

/// The locations of a description's files, and the resolution of relative references (RFC 3986, section 5.2).
enum DocumentLocation {
    /// Returns the location of a reference without a fragment in the file at `base`.
    static func resolve(_ reference: String, against base: String) -> String {
        if reference.isEmpty { return base }
        if hasScheme(reference) { return reference }
        let path = PercentEncoding.decode(reference)
        // The part before the path is kept, such as `git:main:` or `https://example.com`.
        let pathStart = startOfPath(in: base)
        let prefix = base[..<pathStart]
        if path.hasPrefix("/") { return prefix + normalized(path[...]) }
        let directory = base[pathStart...].lastIndex(of: "/").map { base[pathStart...$0] } ?? ""
        return prefix + normalized(directory + path)
    }

    private static func startOfPath(in location: String) -> String.Index {
        if location.hasPrefix("/") { return location.startIndex }
        if isRemote(location), let colon = location.firstIndex(of: ":") {
            let authority = location[colon...].dropFirst(3)
            return authority.firstIndex(of: "/") ?? location.endIndex
        }
        return location.lastIndex(of: ":").map { location.index(after: $0) } ?? location.startIndex
    }

    /// Returns whether a location is on the network.
    static func isRemote(_ location: String) -> Bool {
        let scheme = location.prefix(6).prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https"
    }

    /// Returns whether a reference is a URI rather than a path.
    static func hasScheme(_ reference: String) -> Bool {
        guard let colon = reference.firstIndex(of: ":"), colon != reference.startIndex else { return false }
        return reference[..<colon].unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
            default: false
            }
        }
    }

    /// Returns the path without `.` and `..` segments.
    private static func normalized(_ path: Substring) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: true) {
            if part == "." { continue }
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !path.hasPrefix("/") {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}

/// The URIs that identify files for the schema compiler, derived from their locations.
///
/// A location is not always a URI: it can be a path, or start with a prefix such as `git:main:`. The prefix becomes the
/// first segment, so that relative references resolve as in `DocumentLocation`.
enum DescriptionURI {
    private static let scheme = "description:/"

    /// Returns the URI of a location.
    static func uri(of location: String) -> String {
        if location.hasPrefix("http://") || location.hasPrefix("https://") { return location }
        let start = location.lastIndex(of: ":").map { location.index(after: $0) } ?? location.startIndex
        let path = location[start...]
        // The first letter records whether the path was absolute.
        let prefix = (path.hasPrefix("/") ? "a" : "r") + PercentEncoding.encode(location[..<start])
        return scheme + prefix + (path.hasPrefix("/") ? "" : "/")
            + PercentEncoding.encode(path) { ASCII.isUnreserved($0) || $0 == UInt8(ascii: "/") }
    }

    /// Returns the location of a URI, or the URI itself if it was not derived from a location.
    static func location(of uri: String) -> String {
        guard uri.hasPrefix(scheme) else { return uri }
        let rest = uri.dropFirst(scheme.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let prefix = PercentEncoding.decodedText(rest[..<slash].dropFirst().utf8)
        let path = PercentEncoding.decodedText(rest[slash...].utf8)
        return prefix + (rest.hasPrefix("a") ? path : String(path.dropFirst()))
    }
}
