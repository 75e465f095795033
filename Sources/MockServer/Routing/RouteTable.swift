import SuiteModel

/// The routes of a mock server, indexed by path.
struct RouteTable: Sendable {
    /// A route whose path takes a request, with the values of its parameters.
    struct Candidate {
        let route: CompiledRoute
        let parameters: [(name: String, value: String)]
    }

    /// The routes in file order.
    let routes: [CompiledRoute]

    private let literal: [[String]: [Int]]
    private let patterns: [Int]

    /// Builds the table.
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

    /// Calls `body` with the routes whose path takes the segments, in file order, until it returns true.
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
