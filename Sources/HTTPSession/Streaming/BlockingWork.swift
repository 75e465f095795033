import NIOPosix

/// Runs what waits for a disk away from event loops and from the threads that tasks share.
enum BlockingWork {
    /// Runs a function to its end, even when the task is cancelled.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(FileFailure) -> Value
    ) async throws(FileFailure) -> Value {
        let result = await withUnsafeContinuation { (waiter: UnsafeContinuation<Result<Value, FileFailure>, Never>) in
            // The pool that a process shares is never shut down, so the work is always done.
            NIOThreadPool.singleton.submit { _ in
                do throws(FileFailure) {
                    waiter.resume(returning: .success(try body()))
                } catch {
                    waiter.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
