public import CEL

/// Limits of a mock server, and what it takes from its surroundings.
public struct MockServerOptions: Sendable {
    /// The most bytes that a request's body may have; a longer one is answered with 413.
    public var maximumBodySize: Int
    /// What expressions use of the world outside; its random source also makes the identifiers of collections.
    public var context: CELContext
    /// Waits for a `delay`.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// Called for each request before its answer is sent, on the server's event loop.
    public var log: (@Sendable (MockLogEntry) -> Void)?

    /// Creates options.
    public init(
        maximumBodySize: Int = 16 << 20, context: CELContext = CELContext(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        log: (@Sendable (MockLogEntry) -> Void)? = nil
    ) {
        self.maximumBodySize = maximumBodySize
        self.context = context
        self.sleep = sleep
        self.log = log
    }
}
