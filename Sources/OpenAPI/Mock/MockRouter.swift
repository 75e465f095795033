/// A router that finds the operation of a request to a mock.
///
/// A mock represents all servers of a description, including those of paths and operations. Therefore, a request path
/// is either a documented path or a documented path after the path of any server. If several readings match, the one
/// with the most concrete template wins.
struct MockRouter: Sendable {
    /// The operation of a request, or the methods of its path.
    enum Route {
        /// An operation, with the path relative to its server.
        case operation(Int, path: String)
        case otherMethods(path: String, methods: [String])
        /// An undocumented path.
        case unknown
    }

    private let operations: [Operation]
    private var tree = PathTree()
    private var servers: [ServerPattern] = []

    init(_ operations: [Operation]) {
        self.operations = operations
        var known: Set<String> = []
        for (index, operation) in operations.enumerated() {
            tree.insert(operation.template, method: operation.method, operation: index)
            for server in operation.servers where known.insert(server.url).inserted {
                servers.append(ServerPattern(server))
            }
        }
    }

    /// Returns the operation of a request.
    ///
    /// - Parameter path: The path, still percent-encoded.
    func route(method: String, path: ArraySlice<UInt8>) -> Route {
        let readings = [path] + servers.compactMap { $0.remainder(of: path) }
        if let (match, path) = best(of: readings, method: method), let found = match.operations[method] {
            return .operation(found, path: String(decoding: path, as: UTF8.self))
        }
        // `HEAD` is supported wherever `GET` is (RFC 9110, section 9.3.2).
        if method == "HEAD", case .operation(let found, let path) = route(method: "GET", path: path) {
            return .operation(found, path: path)
        }
        guard let (match, _) = best(of: readings, method: nil), let first = match.operations.values.min() else {
            return .unknown
        }
        let methods = match.operations.sorted { $0.value < $1.value }.map(\.key)
        return .otherMethods(path: operations[first].path, methods: methods)
    }

    /// Returns the match with the fewest parameters, or the first of several such matches.
    private func best(
        of readings: [ArraySlice<UInt8>], method: String?
    ) -> (match: PathTree.Match, path: ArraySlice<UInt8>)? {
        var best: (match: PathTree.Match, path: ArraySlice<UInt8>)?
        for path in readings {
            guard let match = tree.match(path, method: method) else { continue }
            if match.values.count < best?.match.values.count ?? .max { best = (match, path) }
        }
        return best
    }
}
