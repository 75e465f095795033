import Synchronization

/// The number of requests left to send, shared by all tasks.
public final class LoadCounter: Sendable {
    private let left: Atomic<Int>

    /// Creates a counter of `count` requests.
    public init(_ count: Int) {
        left = Atomic(count)
    }

    /// Claims one of the requests; returns false if none is left.
    public func take() -> Bool {
        left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0
    }
}
