import Basics
import CEL
import Diagnostics
import SuiteModel
import Synchronization

/// The routes of a mock server, indexed by path.
struct RouteTable: Sendable {
    /// A route whose path matches a request, with the values of its parameters.
    struct Candidate {
        let route: CompiledRoute
        let parameters: [(name: String, value: String)]
    }

    /// The routes in file order.
    let routes: [CompiledRoute]

    private let literal: [[String]: [Int]]
    private let patterns: [Int]

    /// Creates a table from the routes of a definition.
    init(_ definition: MockDefinition) {
        routes = definition.routes.map { CompiledRoute($0, defaults: definition.defaults) }
        var literal: [[String]: [Int]] = [:]
        var patterns: [Int] = []
        for (index, route) in definition.routes.enumerated() {
            if let segments = route.path.literalSegments {
                literal[segments, default: []].append(index)
            } else {
                patterns.append(index)
            }
        }
        self.literal = literal
        self.patterns = patterns
    }

    /// Calls `body` with the routes whose path matches the segments, in file order, until it returns `true`.
    func forEachCandidate(_ segments: [String], _ body: (Candidate) -> Bool) {
        let exact = literal[segments] ?? []
        var position = 0
        for pattern in patterns {
            while position < exact.count, exact[position] < pattern {
                if body(Candidate(route: routes[exact[position]], parameters: [])) { return }
                position += 1
            }
            guard let parameters = routes[pattern].route.path.match(segments) else { continue }
            if body(Candidate(route: routes[pattern], parameters: parameters)) { return }
        }
        while position < exact.count {
            if body(Candidate(route: routes[exact[position]], parameters: [])) { return }
            position += 1
        }
    }
}

/// A route with prepared responses and a counter of the requests it served.
final class CompiledRoute: Sendable {
    /// The route.
    let route: MockRoute
    /// The request line of the route, for the log and messages.
    let name: String

    private let responses: [PreparedResponse]
    // The counter is the only mutable state. Connections share the route.
    private let answered = Atomic<Int>(0)

    /// Prepares the responses of a route.
    init(_ route: MockRoute, defaults: MockDefinition.Defaults) {
        self.route = route
        name = route.requestLine
        responses = route.responses.map { PreparedResponse($0, defaults: defaults) }
    }

    /// Returns the next response in the route's sequence.
    func nextResponse() -> PreparedResponse? {
        guard responses.count > 1 else { return responses.first }
        let count = answered.wrappingAdd(1, ordering: .relaxed).oldValue
        switch route.order {
        case .repeatLast: return responses[max(0, min(count, responses.count - 1))]
        case .cycle: return responses[Int(UInt(bitPattern: count) % UInt(responses.count))]
        }
    }

    /// Returns whether the route accepts a method. A route for `GET` also accepts `HEAD`.
    func takes(method: String) -> Bool {
        guard let own = route.method else { return true }
        return own == method || (own == "GET" && method == "HEAD")
    }
}

/// A search for the route that an unmatched request probably meant.
enum NearestRoute {
    /// Returns the most similar request line, or `nil` if the server has no routes.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - lines: The request lines that the server accepts, with their methods and paths.
    static func find(_ request: MockRequest, among lines: [ServedLine]) -> String? {
        let wanted = "/" + request.segments.joined(separator: "/")
        var byLikeness: [String: Int] = [:]
        for (index, line) in lines.enumerated() {
            let likeness = line.path.filled(from: request.segments)
            // Among lines with the same path, the line with the method of the request is the most similar.
            if byLikeness[likeness] == nil || line.method == request.method { byLikeness[likeness] = index }
        }
        let candidates = lines.map { $0.path.filled(from: request.segments) }
        if let found = Spelling.nearest(to: wanted, among: candidates), let index = byLikeness[found] {
            return lines[index].text
        }
        let common = lines.map { line in
            zip(line.path.leading, request.segments).prefix { pair in
                if case .literal(let text) = pair.0 { text == pair.1 } else { true }
            }.count
        }
        guard let maximum = common.max(), maximum > 0, let index = common.firstIndex(of: maximum) else {
            return lines.first?.text
        }
        return lines[index].text
    }
}

/// A request line that the server accepts, from a route or a collection.
struct ServedLine: Sendable {
    /// The method, or `nil` for any method.
    let method: String?
    /// The path.
    let path: MockPath

    /// The request line for display.
    var text: String {
        if let method { "\(method) \(path.text)" } else { path.text }
    }
}

extension MockPath {
    /// Returns the path with its parameters and globs replaced by the segments of a request.
    func filled(from segments: [String]) -> String {
        func fill(_ own: [Segment], _ given: [String]) -> [String] {
            own.enumerated().map { index, segment in
                switch segment {
                case .literal(let text): text
                case .parameter(_, let prefix, let suffix):
                    prefix.isEmpty && suffix.isEmpty && index < given.count
                        ? given[index] : "\(prefix)\(index < given.count ? "" : "x")\(suffix)"
                case .glob(let pieces): index < given.count ? given[index] : pieces.joined()
                }
            }
        }
        var result = fill(leading, segments)
        if let trailing {
            let middle = segments.dropFirst(leading.count).dropLast(trailing.count)
            result += middle
            result += fill(trailing, Array(segments.suffix(trailing.count)))
        }
        return "/" + result.joined(separator: "/")
    }
}
