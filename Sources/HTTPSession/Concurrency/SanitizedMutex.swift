#if THREAD_SANITIZER
import NIOConcurrencyHelpers

/// Takes the place of Synchronization's mutex where the thread sanitizer looks on.
///
/// The library of that one is not instrumented, so that the sanitizer does not see its order and reports races which are
/// none. POSIX locks it knows.
public final class Mutex<Value>: @unchecked Sendable {
    // Every access of the value is under the lock.
    private let lock = NIOLock()
    private var value: Value

    /// Creates a mutex with its first value.
    public init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value, one caller at a time.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
#endif
