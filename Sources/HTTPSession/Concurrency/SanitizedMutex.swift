#if THREAD_SANITIZER
import NIOConcurrencyHelpers

/// A replacement for Synchronization's `Mutex` in builds with the thread sanitizer.
///
/// The Synchronization library is not instrumented. The sanitizer does not see its ordering and reports false races. It
/// understands POSIX locks.
public final class Mutex<Value>: @unchecked Sendable {
    // The value is accessed only while the lock is held.
    private let lock = NIOLock()
    private var value: Value

    /// Creates a mutex with an initial value.
    public init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value while holding the lock.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
#endif
