/// A pattern for the URL of a server with variables, which matches the requests to the server.
struct ServerPattern: Sendable {
    private enum Piece: Sendable {
        case literal([UInt8])
        /// One of several values, or any string without a slash if there are none.
        case variable([[UInt8]])
    }

    /// The scheme, host, and port. Empty for a relative URL.
    private let origin: [Piece]
    /// The path without a trailing slash.
    private let path: [Piece]

    init(_ server: Server) {
        var pieces = Self.pieces(of: server)
        var origin: [Piece] = []
        var path: [Piece] = []
        // The origin ends at the first slash after `://`.
        var slashes = Self.isRelative(server.url) ? 3 : 0
        while !pieces.isEmpty {
            let piece = pieces.removeFirst()
            guard slashes < 3, case .literal(let bytes) = piece else {
                if slashes < 3 { origin.append(piece) } else { path.append(piece) }
                continue
            }
            var end = bytes.startIndex
            while end < bytes.endIndex {
                if bytes[end] == UInt8(ascii: "/") { slashes += 1 }
                if slashes == 3 { break }
                end += 1
            }
            let own = bytes[..<end].map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 32 : $0 }
            if !own.isEmpty { origin.append(.literal(own)) }
            if end < bytes.endIndex { path.append(.literal(Array(bytes[end...]))) }
        }
        self.origin = origin
        self.path = Self.withoutFinalSlash(path)
    }

    /// Whether the URL has no host of its own.
    var isRelative: Bool { origin.isEmpty }

    /// The path without a trailing slash, or `nil` if it has variables.
    var literalPath: [UInt8]? {
        var bytes: [UInt8] = []
        for piece in path {
            guard case .literal(let own) = piece else { return nil }
            bytes += own
        }
        return bytes
    }

    /// Returns whether a request targets the server's host.
    func matchesOrigin(_ url: URLParts) -> Bool {
        if origin.isEmpty { return true }
        return match(origin, url.origin[...]).contains(url.origin.endIndex)
    }

    /// Returns the rest of a request's path after the server's path, or `nil` if the path does not match.
    func remainder(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for end in match(self.path, path) {
            if end == path.endIndex { return Array("/".utf8)[...] }
            if path[end] == UInt8(ascii: "/") { return path[end...] }
        }
        return nil
    }

    /// Returns the possible end indices of the pieces as a prefix of a string.
    private func match(_ pieces: [Piece], _ text: ArraySlice<UInt8>) -> [Int] {
        var ends = [text.startIndex]
        for piece in pieces {
            var next: Set<Int> = []
            for start in ends {
                switch piece {
                case .literal(let bytes):
                    if text[start...].starts(with: bytes) { next.insert(start + bytes.count) }
                case .variable(let values) where values.isEmpty:
                    var end = start
                    while end < text.endIndex, text[end] != UInt8(ascii: "/") {
                        end += 1
                        next.insert(end)
                    }
                case .variable(let values):
                    for value in values where text[start...].starts(with: value) { next.insert(start + value.count) }
                }
            }
            if next.isEmpty { return [] }
            ends = next.sorted(by: >)
        }
        return ends
    }

    private static func isRelative(_ url: String) -> Bool { !url.contains("://") && !url.hasPrefix("//") }

    private static func pieces(of server: Server) -> [Piece] {
        var pieces: [Piece] = []
        var rest = server.url[...]
        // A relative URL such as `v1` is relative to the root.
        if isRelative(server.url), !rest.hasPrefix("/"), !rest.hasPrefix("{") { pieces.append(.literal([0x2F])) }
        if rest.hasPrefix("./") { rest = rest.dropFirst(2) }
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { pieces.append(.literal(Array(rest[..<open].utf8))) }
            let name = rest[rest.index(after: open)..<close]
            let variable = server.variables.first { $0.name == name }
            pieces.append(.variable(variable?.values.map { Array($0.utf8) } ?? []))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.literal(Array(rest.utf8))) }
        return pieces
    }

    private static func withoutFinalSlash(_ pieces: [Piece]) -> [Piece] {
        var pieces = pieces
        guard case .literal(var bytes)? = pieces.last, bytes.last == UInt8(ascii: "/") else { return pieces }
        bytes.removeLast()
        pieces.removeLast()
        if !bytes.isEmpty { pieces.append(.literal(bytes)) }
        return pieces
    }
}

/// The possible readings of paths on one host, in order of precedence.
///
/// ``OperationRouter`` computes them once for each host, because they depend on nothing else in a request.
final class OriginRoutes: Sendable {
    /// A reading of a path: a server group and the prefix before the documented path.
    struct Candidate: Sendable, Equatable {
        let group: Int
        let prefix: [UInt8]
        /// The index of the reading. Among candidates of the same reading, the most concrete template wins.
        let reading: Int
    }

    /// A candidate whose prefix is a range of ``prefixes``.
    struct Way: Sendable {
        let group: Int32
        let prefix: Int32
        let prefixCount: Int32
        let reading: Int32
    }

    /// The scheme, `://`, and the authority, in the notation of the URLs.
    let origin: [UInt8]
    /// Whether the requests target a different API.
    let isElsewhere: Bool
    let ways: [Way]
    let prefixes: [UInt8]

    init(origin: [UInt8], isElsewhere: Bool, candidates: [Candidate]) {
        self.origin = origin
        self.isElsewhere = isElsewhere
        var ways: [Way] = []
        var prefixes: [UInt8] = []
        for (index, candidate) in candidates.enumerated()
        where !candidates[..<index].contains(where: { $0.group == candidate.group && $0.prefix == candidate.prefix }) {
            ways.append(
                Way(
                    group: Int32(clamping: candidate.group), prefix: Int32(clamping: prefixes.count),
                    prefixCount: Int32(clamping: candidate.prefix.count), reading: Int32(clamping: candidate.reading)))
            prefixes += candidate.prefix
        }
        self.ways = ways
        self.prefixes = prefixes
    }

    /// Returns whether a URL has this origin and a path.
    func isOrigin(of url: UnsafeBufferPointer<UInt8>) -> Bool {
        guard url.count > origin.count, url[origin.count] == UInt8(ascii: "/") else { return false }
        for index in origin.indices where url[index] != origin[index] { return false }
        return true
    }

    /// Returns the start of the path in a URL with a scheme, host, and path, or `nil` for any other URL.
    static func originEnd(of url: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 3 < url.count,
            url[colon + 1] == UInt8(ascii: "/"), url[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        guard url[..<colon].allSatisfy(URLParts.isOfScheme) else { return nil }
        var end = colon + 3
        while end < url.count, url[end] != UInt8(ascii: "/") {
            if url[end] == UInt8(ascii: "?") || url[end] == UInt8(ascii: "#") { return nil }
            end += 1
        }
        return end < url.count ? end : nil
    }

    /// Returns the end of the path that starts at an index of a URL.
    static func pathEnd(of url: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var end = start
        while end < url.count, url[end] != UInt8(ascii: "?"), url[end] != UInt8(ascii: "#") { end += 1 }
        return end
    }
}
