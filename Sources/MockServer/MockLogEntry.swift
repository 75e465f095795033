/// A request to a mock server, and how it is answered.
public struct MockLogEntry: Sendable, Hashable, CustomStringConvertible {
    /// The method.
    public var method: String
    /// The request target as sent: path and query.
    public var target: String
    /// The status of the answer; nil when the connection was dropped before one.
    public var status: Int?
    /// The route or collection that answered: `GET /books/{id}`, `collection books`; nil when nothing matched.
    public var route: String?

    /// Creates an entry.
    public init(method: String, target: String, status: Int?, route: String?) {
        self.method = method
        self.target = target
        self.status = status
        self.route = route
    }

    /// One line: `GET /books/7 → 200 (collection books)`.
    public var description: String {
        "\(method) \(target) → \(status.map(String.init) ?? "connection dropped") (\(route ?? "no route"))"
    }
}
