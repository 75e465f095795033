import Basics

/// Finds the operation of a description that a request is for.
///
/// Where a request goes is compared with the servers first. A request to a host that no server names is matched by its
/// path all the same, as tests seldom run against the servers of the description: what follows the suite's base URL, then
/// what follows the path of a server, then the whole path. A path or an operation may have servers of its own.
public struct OperationRouter: Sendable {
    /// What a request is for.
    public enum Route: Sendable {
        /// An operation, with the texts of its path parameters, still encoded.
        case operation(Int, values: [(name: String, text: String)])
        /// A path that is documented without the method, with the methods that it has.
        case otherMethods(path: String, methods: [String])
        /// A path that is not documented, with the documented one that is most like it.
        case unknown(path: String, nearest: String?)
    }

    /// The operations of some servers.
    private struct Group: Sendable {
        var servers: [ServerPattern]
        var tree = PathTree()
    }

    /// A path, and the operations that it may be one of.
    private typealias Candidate = (group: Int, path: ArraySlice<UInt8>)

    private let operations: [Operation]
    private let groups: [Group]
    private let basePath: [UInt8]?
    /// How many templates are compared with a path that is not documented.
    private static let comparedTemplates = 5_000
    /// How many pairs of prefixes and groups of servers are looked at for one host.
    private static let mostCandidates = 4_096

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - operations: All operations of the description.
    ///   - basePath: What precedes the documented paths in requests, in the place of the servers' paths.
    public init(_ operations: [Operation], basePath: String? = nil) {
        self.operations = operations
        var groups: [Group] = []
        var known: [[String]: Int] = [:]
        for (index, operation) in operations.enumerated() {
            let key = operation.servers.map(\.url)
            let group = known[key] ?? groups.count
            if group == groups.count {
                known[key] = group
                groups.append(Group(servers: operation.servers.map { ServerPattern($0) }))
            }
            groups[group].tree.insert(operation.template, method: operation.method, operation: index)
        }
        self.groups = groups
        self.basePath = basePath.map { path in
            let trimmed = path.hasSuffix("/") ? path.dropLast() : path[...]
            return Array((trimmed.hasPrefix("/") || trimmed.isEmpty ? trimmed : "/" + trimmed).utf8)
        }
    }

    /// Whether a server of the description names the host of a URL; a relative server names none.
    func isServer(_ url: URLParts) -> Bool {
        groups.contains { $0.servers.contains { !$0.isRelative && $0.matchesOrigin(url) } }
    }

    /// What a request is for.
    ///
    /// - Parameters:
    ///   - url: The absolute URL that was sent.
    ///   - baseURL: What the suite's relative URLs resolve against.
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
        // HEAD is answered wherever GET is (RFC 9110, section 9.3.2).
        if method == "HEAD", case .operation(let found, let values) = route(method: "GET", url, base: base) {
            return .operation(found, values: values)
        }
        for candidates in readings {
            guard let first = best(of: candidates, method: nil)?.operations.values.min() else { continue }
            // Servers of an operation may leave the other methods of its path with those of the path.
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

    /// The ways to read a path, the likeliest first.
    ///
    /// Any part of the path may be a server's. What follows the path of a server on its own host counts before what follows the
    /// suite's base URL, then what follows a server's path on any host, then the whole path. Where the host tells nothing,
    /// the servers of paths and operations tell nothing either, so that all operations are looked at with each way.
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

    /// Whether paths behind the prefixes of some servers are looked for among the operations of all servers.
    private func isSpread(_ prefixes: Int) -> Bool {
        groups.count > 1 && prefixes <= Self.mostCandidates / groups.count
    }

    /// The most concrete template that matches one of some paths; of equal ones the first.
    private func best(of candidates: [Candidate], method: String?) -> PathTree.Match? {
        var best: PathTree.Match?
        for (group, path) in candidates {
            guard let match = groups[group].tree.match(path, method: method) else { continue }
            if best.map({ match.isMoreConcrete(than: $0) }) ?? true { best = match }
        }
        return best
    }

    /// The texts of an operation's path parameters in a URL that is said to be for it; nil when its path does not match.
    func values(of operation: Int, _ url: URLParts, base: URLParts?) -> [(name: String, text: String)]? {
        var candidates: [Candidate] = []
        let group = Group(servers: operations[operation].servers.map { ServerPattern($0) })
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

    // MARK: What does not depend on the request

    /// The path templates of all operations.
    var pathIndex: PathIndex { PathIndex(groups.map(\.tree)) }

    /// The ways in which paths of requests to one host may be read; nil where they depend on the paths.
    ///
    /// - Parameters:
    ///   - origin: The scheme, `://` and the authority of the requests' URLs.
    ///   - base: What the suite's relative URLs resolve against.
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
        // In the order of `readings`.
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

    /// Does for prefixes what ``readings(of:base:)`` does for paths where no server names the host.
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

    /// Adds what ``addServers`` adds for any path; false where a server's path has variables.
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

    /// The documented path that is most like one that is not.
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

/// The parts of a URL that matter to routing, as bytes, still encoded.
struct URLParts: Sendable {
    /// The scheme in lower case; empty for a relative URL.
    var scheme: ArraySlice<UInt8> = []
    /// The host and port in lower case, without user information and the scheme's usual port.
    var authority: ArraySlice<UInt8> = []
    /// The scheme, `://` and the authority.
    private(set) var origin: [UInt8] = []
    /// The path, which begins with a slash.
    var path: ArraySlice<UInt8> = []
    /// What follows the question mark; nil without one.
    var query: ArraySlice<UInt8>?

    /// Takes a URL apart.
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

    /// Whether a byte may be in a scheme (RFC 3986, section 3.1).
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
