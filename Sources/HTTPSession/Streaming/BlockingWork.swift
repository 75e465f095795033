import NIOPosix
import Synchronization

/// Runs what waits for a disk away from event loops and from the threads that tasks share.
enum BlockingWork {
    /// A lock that the thread sanitizer sees, which does not see that a task goes on after it was resumed.
    private final class HandOver: Sendable {
        let lock = Mutex(false)
    }

    /// Runs a function to its end, even when the task is cancelled.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(FileFailure) -> Value
    ) async throws(FileFailure) -> Value {
        let handOver = HandOver()
        let result = await withUnsafeContinuation { (waiter: UnsafeContinuation<Result<Value, FileFailure>, Never>) in
            // The pool that a process shares is never shut down, so the work is always done.
            NIOThreadPool.singleton.submit { _ in
                let result: Result<Value, FileFailure>
                do throws(FileFailure) {
                    result = .success(try body())
                } catch {
                    result = .failure(error)
                }
                handOver.lock.withLock { $0 = true }
                waiter.resume(returning: result)
            }
        }
        handOver.lock.withLock { _ = $0 }
        return try result.get()
    }
}
