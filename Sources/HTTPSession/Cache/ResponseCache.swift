/// Keeps responses for later requests.
public final class ResponseCache: Sendable {
    /// Creates a cache.
    public init() {}
}
