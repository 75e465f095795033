/// A parsed URI reference (RFC 3986, appendix B) that can be resolved against a base.
package struct URIReference: Hashable, Sendable, CustomStringConvertible {
    package var scheme: String?
    package var authority: String?
    package var path: String
    package var query: String?
    package var fragment: String?

    /// Parses a string. Every string is a valid reference.
    package init(_ text: String) {
        var rest = Substring(text)
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(rest[rest.utf8.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let question = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = String(rest[rest.utf8.index(after: question)...])
            rest = rest[..<question]
        }
        if let colon = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
            rest.utf8[colon] == UInt8(ascii: ":"), URIReference.isScheme(rest[..<colon])
        {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.utf8.index(after: colon)...]
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
        return text.utf8.allSatisfy {
            ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    /// Returns the target of the reference in a document with a base URI (section 5.2.2).
    package func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme == nil {
            target.scheme = base.scheme
            if authority == nil {
                target.authority = base.authority
                if path.isEmpty {
                    target.path = base.path
                    if query == nil { target.query = base.query }
                } else if !path.utf8.starts(with: "/".utf8) {
                    target.path = base.merged(with: path)
                }
            }
        }
        return target.normalized
    }

    /// The reference without dot segments and with a lowercase host.
    package var normalized: URIReference {
        var result = self
        result.path = URIReference.removingDotSegments(path)
        if let authority {
            let host = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority.utf8.index(after: $0) }
            let start = host ?? authority.startIndex
            result.authority = authority[..<start] + authority[start...].lowercased()
        }
        return result
    }

    /// Returns the base's path up to its last slash, followed by a relative path (section 5.2.3).
    private func merged(with reference: String) -> String {
        if path.isEmpty { return authority == nil ? reference : "/" + reference }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return reference }
        return path[...slash] + reference
    }

    /// Removes the dot segments of a path (section 5.2.4).
    private static func removingDotSegments(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        let isAbsolute = path.utf8.starts(with: "/".utf8)
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0)
        for (offset, segment) in segments.enumerated() {
            let isLast = offset == segments.count - 1
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                if !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    }

    /// The reference as a string without its fragment.
    package var withoutFragment: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        return text
    }

    /// The percent-decoded fragment, or the original fragment if the result is not valid UTF-8.
    package var decodedFragment: String {
        guard let fragment, fragment.utf8.contains(UInt8(ascii: "%")) else { return fragment ?? "" }
        return String(validating: PercentEncoding.decode(fragment.utf8), as: UTF8.self) ?? fragment
    }

    /// The reference as a string.
    package var description: String { withoutFragment + (fragment.map { "#" + $0 } ?? "") }
}
