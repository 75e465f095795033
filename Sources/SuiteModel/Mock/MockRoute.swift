public import Diagnostics

/// A rule of the mock server: which requests it takes and how it answers them.
public struct MockRoute: Sendable {
    /// What the answers do after the last one of a `sequence` was given.
    public enum Order: Sendable, Hashable {
        /// The last answer is repeated.
        case repeatLast
        /// The sequence begins again.
        case cycle
    }

    /// The method; nil takes every method.
    public var method: String?
    /// The path that is taken.
    public var path: MockPath
    /// What a request must have besides its method and path.
    public var conditions: MockConditions
    /// The answers in the order in which they are given; at least one.
    public var responses: [MockResponse]
    /// What happens after the last answer.
    public var order: Order
    /// The place of the request line.
    public var range: SourceRange

    /// Creates a route.
    public init(
        method: String?, path: MockPath, conditions: MockConditions = MockConditions(), responses: [MockResponse],
        order: Order = .repeatLast, range: SourceRange
    ) {
        self.method = method
        self.path = path
        self.conditions = conditions
        self.responses = responses
        self.order = order
        self.range = range
    }

    /// The request line as it is shown to people: `GET /books/{id}`.
    public var requestLine: String {
        if let method { "\(method) \(path.text)" } else { path.text }
    }
}
