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
