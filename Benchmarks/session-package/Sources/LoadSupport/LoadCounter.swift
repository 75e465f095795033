import Synchronization

/// The requests that are still to be sent, shared by all tasks.
public final class LoadCounter: Sendable {
    private let left: Atomic<Int>

    /// Creates a counter of `count` requests.
    public init(_ count: Int) {
        left = Atomic(count)
    }

    /// Takes one of the requests; false when there is none left.
    public func take() -> Bool {
        left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0
    }
}
