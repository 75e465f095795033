import Basics
import JSON

/// Where the files of a description are, and where relative references lead from them (RFC 3986, section 5.2).
enum DocumentLocation {
    /// The location that a reference without a fragment means in the file at `base`.
    static func resolve(_ reference: String, against base: String) -> String {
        if reference.isEmpty { return base }
        if hasScheme(reference) { return reference }
        let path = PercentEncoding.decode(reference)
        // What precedes the path, such as `git:main:` or `https://example.com`, is kept.
        let pathStart = startOfPath(in: base)
        let prefix = base[..<pathStart]
        if path.hasPrefix("/") { return prefix + normalized(path[...]) }
        let folder = base[pathStart...].lastIndex(of: "/").map { base[pathStart...$0] } ?? ""
        return prefix + normalized(folder + path)
    }

    private static func startOfPath(in location: String) -> String.Index {
        if location.hasPrefix("/") { return location.startIndex }
        if isRemote(location), let colon = location.firstIndex(of: ":") {
            let authority = location[colon...].dropFirst(3)
            return authority.firstIndex(of: "/") ?? location.endIndex
        }
        return location.lastIndex(of: ":").map { location.index(after: $0) } ?? location.startIndex
    }

    /// Whether a location is on the network.
    static func isRemote(_ location: String) -> Bool {
        let scheme = location.prefix(6).prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https"
    }

    /// Whether the reference is a URI and no path.
    static func hasScheme(_ reference: String) -> Bool {
        guard let colon = reference.firstIndex(of: ":"), colon != reference.startIndex else { return false }
        return reference[..<colon].unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
            default: false
            }
        }
    }

    /// The path without `.` and `..`.
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

/// The URIs by which schemas are known to the schema compiler, made from the locations of files.
///
/// A location need not be a URI: it may be a path, or begin with something like `git:main:`. What precedes the path
/// becomes the first segment, so that relative references resolve as `DocumentLocation` has it.
enum DescriptionURI {
    private static let scheme = "description:/"

    /// The URI of a location.
    static func uri(of location: String) -> String {
        if location.hasPrefix("http://") || location.hasPrefix("https://") { return location }
        let start = location.lastIndex(of: ":").map { location.index(after: $0) } ?? location.startIndex
        let path = location[start...]
        // The mark tells whether the path was absolute.
        let prefix = (path.hasPrefix("/") ? "a" : "r") + PercentEncoding.encode(location[..<start])
        return scheme + prefix + (path.hasPrefix("/") ? "" : "/")
            + PercentEncoding.encode(path) { ASCII.isUnreserved($0) || $0 == UInt8(ascii: "/") }
    }

    /// The location that a URI was made of; the URI itself when it was made of none.
    static func location(of uri: String) -> String {
        guard uri.hasPrefix(scheme) else { return uri }
        let rest = uri.dropFirst(scheme.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let prefix = PercentEncoding.decodedText(rest[..<slash].dropFirst().utf8)
        let path = PercentEncoding.decodedText(rest[slash...].utf8)
        return prefix + (rest.hasPrefix("a") ? path : String(path.dropFirst()))
    }
}
