import Synchronization

/// A value that the first task to ask makes, and that all others read without waiting for each other.
///
/// As `AtomicLazyReference`, whose reads cost several times as much where the compiler does not specialise them.
///
/// `@unchecked`, as the value is behind a pointer: it is written once, under the lock and before ``isMade`` is set, and
/// read only by those who have seen that.
final class MadeOnce<Value: Sendable>: @unchecked Sendable {
    private let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let isMade = Atomic(false)
    private let making = Mutex<Void>(())

    init() {}

    deinit {
        if isMade.load(ordering: .acquiring) { place.deinitialize(count: 1) }
        place.deallocate()
    }

    /// The value, made at the first call.
    func value(_ make: () -> Value) -> Value {
        if isMade.load(ordering: .acquiring) { return place.pointee }
        return making.withLock { _ in
            if !isMade.load(ordering: .acquiring) {
                place.initialize(to: make())
                isMade.store(true, ordering: .releasing)
            }
            return place.pointee
        }
    }
}
