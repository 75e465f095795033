import Basics

/// A router that finds the operation of a request.
///
/// The router first compares the URL with the servers. Tests seldom run against the servers of the description, so a
/// request to any other host is matched by its path alone. In order, it tries the path after the suite's base URL, the
/// path after that of a server, and the whole path. Paths and operations can have their own servers.
public struct OperationRouter: Sendable {
    /// The target of a request.
    public enum Route: Sendable {
        /// An operation, with the values of its path parameters, still percent-encoded.
        case operation(Int, values: [(name: String, text: String)])
        /// A documented path without the method, with its documented methods.
        case otherMethods(path: String, methods: [String])
        /// An undocumented path, with the most similar documented one.
        case unknown(path: String, nearest: String?)
    }

    /// The operations that share a set of servers.
    private struct Group: Sendable {
        var servers: [ServerPattern]
        var tree = PathTree()
    }

    /// A path and the group of operations to search for it.
    private typealias Candidate = (group: Int, path: ArraySlice<UInt8>)

    private let operations: [Operation]
    private let groups: [Group]
    /// The group of each operation.
    private let memberships: [Int]
    private let basePath: [UInt8]?
    /// The maximum number of templates to compare with an undocumented path.
    private static let comparedTemplates = 5_000
    /// The maximum number of pairs of prefixes and server groups for one host.
    private static let maximumCandidates = 4_096

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - operations: All operations of the description.
    ///   - basePath: The prefix of the documented paths in requests, replacing the paths of the servers.
    public init(_ operations: [Operation], basePath: String? = nil) {
        self.operations = operations
        var groups: [Group] = []
        var known: [[String]: Int] = [:]
        var memberships: [Int] = []
        for (index, operation) in operations.enumerated() {
            let key = operation.servers.map(\.url)
            let group = known[key] ?? groups.count
            if group == groups.count {
                known[key] = group
                groups.append(Group(servers: operation.servers.map { ServerPattern($0) }))
            }
            memberships.append(group)
            groups[group].tree.insert(operation.template, method: operation.method, operation: index)
        }
        self.groups = groups
        self.memberships = memberships
        self.basePath = basePath.map { path in
            let trimmed = path.hasSuffix("/") ? path.dropLast() : path[...]
            return Array((trimmed.hasPrefix("/") || trimmed.isEmpty ? trimmed : "/" + trimmed).utf8)
        }
    }

    /// Returns whether a server of the description has the host of a URL. A relative server has no host.
    func isServer(_ url: URLParts) -> Bool {
        groups.contains { $0.servers.contains { !$0.isRelative && $0.matchesOrigin(url) } }
    }

    /// Returns the target of a request.
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - url: The absolute URL of the request.
    ///   - baseURL: The URL that the suite's relative URLs resolve against.
    public func route(method: String, url: String, baseURL: String? = nil) -> Route {
        route(method: method, URLParts(url), base: baseURL.map { URLParts($0) })
    }

    func route(method: String, _ url: URLParts, base: URLParts?) -> Route {
        let readings = readings(of: url, base: base)
        for candidates in readings {
            guard let match = best(of: candidates, method: method), let found = match.operations[method] else {
                continue
            }
            return .operation(found, values: named(match.values, found))
        }
        // `HEAD` is supported wherever `GET` is (RFC 9110, section 9.3.2).
        if method == "HEAD", case .operation(let found, let values) = route(method: "GET", url, base: base) {
            return .operation(found, values: values)
        }
        for candidates in readings {
            guard let first = best(of: candidates, method: nil)?.operations.values.min() else { continue }
            // An operation with its own servers can be in a different group than the other methods of its path.
            let path = operations[first].path
            var methods: [String] = []
            for operation in operations where operation.path == path && !methods.contains(operation.method) {
                methods.append(operation.method)
            }
            return .otherMethods(path: path, methods: methods)
        }
        let path = PercentEncoding.decodedText(readings.lazy.joined().first?.path ?? url.path)
        return .unknown(path: PercentEncoding.decodedText(url.path), nearest: nearest(to: path))
    }

    /// Returns the possible readings of a path, most likely first.
    ///
    /// Any prefix of the path can belong to a server. The order is: the path after that of a server on its own host,
    /// the path after the suite's base URL, the path after that of a server on any host, and the whole path. If no
    /// server has the host, the servers of paths and operations cannot be distinguished either, so each reading
    /// considers all operations.
    private func readings(of url: URLParts, base: URLParts?) -> [[Candidate]] {
        var readings: [[Candidate]] = [[], [], [], []]
        let rest = base.flatMap { remainder(of: url, behind: $0) }
        for (index, group) in groups.enumerated() {
            addServers(of: group, index, url, isOwnHost: true, &readings[0])
            if let rest { readings[1].append((index, rest)) }
            addServers(of: group, index, url, isOwnHost: false, &readings[2])
            readings[3].append((index, url.path))
        }
        guard !isServer(url) else { return readings }
        for index in [0, 2] {
            var paths: [ArraySlice<UInt8>] = []
            for candidate in readings[index] where !paths.contains(candidate.path) { paths.append(candidate.path) }
            guard isSpread(paths.count) else { continue }
            readings[index] = paths.flatMap { path in groups.indices.map { ($0, path) } }
        }
        return readings
    }

    /// Returns whether the prefixes of all servers are combined with the operations of all servers.
    private func isSpread(_ prefixes: Int) -> Bool {
        groups.count > 1 && prefixes <= Self.maximumCandidates / groups.count
    }

    /// Returns the match with the most concrete template, or the first of several such matches.
    private func best(of candidates: [Candidate], method: String?) -> PathTree.Match? {
        var best: PathTree.Match?
        for (group, path) in candidates {
            guard let match = groups[group].tree.match(path, method: method) else { continue }
            if best.map({ match.isMoreConcrete(than: $0) }) ?? true { best = match }
        }
        return best
    }

    /// Returns the path parameters for a given operation, or `nil` if its path does not match the URL.
    func values(of operation: Int, _ url: URLParts, base: URLParts?) -> [(name: String, text: String)]? {
        var candidates: [Candidate] = []
        let group = groups[memberships[operation]]
        addServers(of: group, 0, url, isOwnHost: true, &candidates)
        if let rest = base.flatMap({ remainder(of: url, behind: $0) }) { candidates.append((0, rest)) }
        addServers(of: group, 0, url, isOwnHost: false, &candidates)
        candidates.append((0, url.path))
        for (_, path) in candidates {
            if let values = PathTree.values(of: operations[operation].template, in: path) {
                return named(values, operation)
            }
        }
        return nil
    }

    // MARK: Precomputed routes

    /// The path templates of all operations, as lookup tables.
    var pathIndex: PathIndex { PathIndex(groups.map(\.tree)) }

    /// Returns the possible readings of paths on one host, or `nil` if they depend on the paths.
    ///
    /// - Parameters:
    ///   - origin: The scheme, `://`, and the authority of the URLs.
    ///   - base: The URL that the suite's relative URLs resolve against.
    func routes(origin: String, base: URLParts?) -> OriginRoutes? {
        let url = URLParts(origin + "/")
        let isOtherHost = base.map { !$0.authority.elementsEqual(url.authority) } ?? false
        if isOtherHost, !isServer(url) {
            return OriginRoutes(origin: Array(origin.utf8), isElsewhere: true, candidates: [])
        }
        var candidates: [OriginRoutes.Candidate] = []
        var basePrefix: [UInt8] = []
        if let base, !isOtherHost {
            basePrefix = Array(base.path)
            while basePrefix.last == UInt8(ascii: "/") { basePrefix.removeLast() }
        }
        // The order matches `readings`.
        let isKnown = isServer(url)
        for reading in 0..<4 {
            let first = candidates.count
            defer { if !isKnown, reading == 0 || reading == 2 { spread(from: first, &candidates) } }
            for (index, group) in groups.enumerated() {
                switch reading {
                case 0, 2: guard add(group, index, url, reading, &candidates) else { return nil }
                case 1 where basePrefix.isEmpty: continue
                default:
                    let prefix = reading == 1 ? basePrefix : []
                    candidates.append(OriginRoutes.Candidate(group: index, prefix: prefix, reading: reading))
                }
            }
        }
        return OriginRoutes(origin: Array(origin.utf8), isElsewhere: false, candidates: candidates)
    }

    /// Combines prefixes with all groups, like ``readings(of:base:)`` for paths on unknown hosts.
    private func spread(from first: Int, _ candidates: inout [OriginRoutes.Candidate]) {
        let own = candidates[first...]
        guard let reading = own.first?.reading else { return }
        var prefixes: [[UInt8]] = []
        for candidate in own where !prefixes.contains(candidate.prefix) { prefixes.append(candidate.prefix) }
        guard isSpread(prefixes.count) else { return }
        candidates.replaceSubrange(
            first...,
            with: prefixes.flatMap { prefix in
                groups.indices.map { OriginRoutes.Candidate(group: $0, prefix: prefix, reading: reading) }
            })
    }

    /// Adds the candidates that ``addServers`` adds for any path. Returns `false` if a server's path has variables.
    private func add(
        _ group: Group, _ index: Int, _ url: URLParts, _ reading: Int, _ candidates: inout [OriginRoutes.Candidate]
    ) -> Bool {
        let isOwnHost = reading == 0
        if let basePath {
            if isOwnHost { candidates.append(OriginRoutes.Candidate(group: index, prefix: basePath, reading: reading)) }
            return true
        }
        for server in group.servers where server.matchesOrigin(url) == isOwnHost {
            guard let path = server.literalPath else { return false }
            candidates.append(OriginRoutes.Candidate(group: index, prefix: path, reading: reading))
        }
        return true
    }

    private func addServers(
        of group: Group, _ index: Int, _ url: URLParts, isOwnHost: Bool,
        _ candidates: inout [Candidate]
    ) {
        if let basePath {
            guard isOwnHost, url.path.starts(with: basePath) else { return }
            let rest = url.path.dropFirst(basePath.count)
            if rest.isEmpty { candidates.append((index, Array("/".utf8)[...])) }
            if rest.first == UInt8(ascii: "/") { candidates.append((index, rest)) }
            return
        }
        for server in group.servers where server.matchesOrigin(url) == isOwnHost {
            if let rest = server.remainder(of: url.path) { candidates.append((index, rest)) }
        }
    }

    private func remainder(of url: URLParts, behind base: URLParts) -> ArraySlice<UInt8>? {
        guard base.authority.elementsEqual(url.authority) else { return nil }
        var path = base.path
        while path.last == UInt8(ascii: "/") { path = path.dropLast() }
        guard !path.isEmpty, url.path.starts(with: path) else { return nil }
        let rest = url.path.dropFirst(path.count)
        return rest.isEmpty ? Array("/".utf8)[...] : rest.first == UInt8(ascii: "/") ? rest : nil
    }

    private func named(_ values: [ArraySlice<UInt8>], _ operation: Int) -> [(name: String, text: String)] {
        if values.isEmpty { return [] }
        return zip(operations[operation].template.parameterNames, values).map {
            ($0, String(decoding: $1, as: UTF8.self))
        }
    }

    // MARK: Suggestions

    /// Returns the documented path that is most similar to an undocumented one.
    private func nearest(to path: String) -> String? {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var best: (path: String, score: Int)?
        var seen: Set<String> = []
        for operation in operations.prefix(Self.comparedTemplates) where seen.insert(operation.path).inserted {
            guard let score = PathLikeness.distance(segments, operation.template), score < best?.score ?? .max else {
                continue
            }
            best = (operation.path, score)
        }
        return best?.path
    }
}

/// The parts of a URL that routing needs, as bytes that are still percent-encoded.
struct URLParts: Sendable {
    /// The lowercase scheme, or empty for a relative URL.
    var scheme: ArraySlice<UInt8> = []
    /// The lowercase host and port, without user information and the scheme's default port.
    var authority: ArraySlice<UInt8> = []
    /// The scheme, `://`, and the authority.
    private(set) var origin: [UInt8] = []
    /// The path, which starts with a slash.
    var path: ArraySlice<UInt8> = []
    /// The query without the question mark, or `nil` if there is none.
    var query: ArraySlice<UInt8>?

    /// Parses a URL.
    init(_ url: String) {
        var rest = Array(url.utf8)[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let separator = Self.schemeEnd(rest) {
            scheme = Self.lowercased(rest[..<separator])
            rest = rest[(separator + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Self.lowercased(rest[..<end])
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
            dropUsualPort()
            rest = rest[end...]
            origin = scheme + Array("://".utf8) + authority
        }
        path = rest.isEmpty ? Array("/".utf8)[...] : rest
    }

    private mutating func dropUsualPort() {
        let port: String
        switch String(decoding: scheme, as: UTF8.self) {
        case "http", "ws": port = ":80"
        case "https", "wss": port = ":443"
        default: return
        }
        if authority.count > port.utf8.count, authority.suffix(port.utf8.count).elementsEqual(port.utf8) {
            authority = authority.dropLast(port.utf8.count)
        }
    }

    private static func schemeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
            bytes[..<colon].allSatisfy(isOfScheme)
        else { return nil }
        return colon
    }

    /// Returns whether a scheme can contain a byte (RFC 3986, section 3.1).
    static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: ASCII.isAlphanumeric(byte)
        }
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.map(ASCII.lowercased)[...]
    }
}
