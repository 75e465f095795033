import CEL
import SuiteModel
import Synchronization

/// A route with its answers prepared, and the number of times it has answered.
final class CompiledRoute: Sendable {
    /// The route.
    let route: MockRoute
    /// The route's request line, for the log and for messages.
    let name: String

    private let responses: [PreparedResponse]
    // Routes are asked from connections; the count is all that changes.
    private let answered = Atomic<Int>(0)

    /// Prepares a route.
    init(_ route: MockRoute, defaults: MockDefinition.Defaults) {
        self.route = route
        name = route.requestLine
        responses = route.responses.map { PreparedResponse($0, defaults: defaults) }
    }

    /// The answer that is next in the route's sequence.
    func nextResponse() -> PreparedResponse? {
        guard responses.count > 1 else { return responses.first }
        let count = answered.wrappingAdd(1, ordering: .relaxed).oldValue
        switch route.order {
        case .repeatLast: return responses[max(0, min(count, responses.count - 1))]
        case .cycle: return responses[Int(UInt(bitPattern: count) % UInt(responses.count))]
        }
    }

    /// Whether the route takes a method; a route for GET takes HEAD too.
    func takes(method: String) -> Bool {
        guard let own = route.method else { return true }
        return own == method || (own == "GET" && method == "HEAD")
    }
}
