/// A server's URL with its variables, made for finding the requests that go to it.
struct ServerPattern: Sendable {
    private enum Piece: Sendable {
        case literal([UInt8])
        /// Any of these texts; any text without a slash when there are none.
        case variable([[UInt8]])
    }

    /// The scheme, host and port; empty for a relative URL.
    private let origin: [Piece]
    /// The path without a slash at its end.
    private let path: [Piece]

    init(_ server: Server) {
        var pieces = Self.pieces(of: server)
        var origin: [Piece] = []
        var path: [Piece] = []
        // The origin ends at the first slash behind `://`.
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

    /// Whether the URL names no host of its own.
    var isRelative: Bool { origin.isEmpty }

    /// The path without a slash at its end where it has no variables; nil where it has.
    var literalPath: [UInt8]? {
        var bytes: [UInt8] = []
        for piece in path {
            guard case .literal(let own) = piece else { return nil }
            bytes += own
        }
        return bytes
    }

    /// Whether a request goes to the server's host.
    func matchesOrigin(_ url: URLParts) -> Bool {
        if origin.isEmpty { return true }
        return match(origin, url.origin[...]).contains(url.origin.endIndex)
    }

    /// What follows the server's path in a request's path; nil when it is another path.
    func remainder(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for end in match(self.path, path) {
            if end == path.endIndex { return Array("/".utf8)[...] }
            if path[end] == UInt8(ascii: "/") { return path[end...] }
        }
        return nil
    }

    /// Where the pieces can end in a text that they are at the beginning of.
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
        // A relative URL such as `v1` is one below the root.
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

/// The ways in which the paths of requests to one host may be read, in the order in which they count.
///
/// ``OperationRouter`` works them out once for each host, as they depend on nothing else of a request.
final class OriginRoutes: Sendable {
    /// A way to read a path: the paths of which servers, and what precedes them.
    struct Candidate: Sendable, Equatable {
        let group: Int
        let prefix: [UInt8]
        /// The number of the way to read paths: of candidates with the same one the most concrete template counts.
        let reading: Int
    }

    /// A candidate, as a place in the bytes of all prefixes.
    struct Way: Sendable {
        let group: Int32
        let prefix: Int32
        let prefixCount: Int32
        let reading: Int32
    }

    /// The scheme, `://` and the authority as they stand in URLs.
    let origin: [UInt8]
    /// Whether requests go to another API.
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

    /// Whether a URL goes to this host, and has a path.
    func isOrigin(of url: UnsafeBufferPointer<UInt8>) -> Bool {
        guard url.count > origin.count, url[origin.count] == UInt8(ascii: "/") else { return false }
        for index in origin.indices where url[index] != origin[index] { return false }
        return true
    }

    /// Where the path of a URL begins that has a scheme, a host and a path; nil for any other URL.
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

    /// Where the path of a URL ends that begins at an index.
    static func pathEnd(of url: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var end = start
        while end < url.count, url[end] != UInt8(ascii: "?"), url[end] != UInt8(ascii: "#") { end += 1 }
        return end
    }
}
