/// The tasks of one event loop that have run an iteration and wait for the next.
///
/// A task that is reused has its memory already, and the one that has waited least still has it in the processor's cache.
/// It is used on the event loop only.
final class LoadWorkers: @unchecked Sendable {
    /// An iteration to run.
    struct Iteration {
        /// The index of the iteration in the whole load.
        var number: Int
        /// The intended start, by the clock of the run.
        var intended: Int64
    }

    /// The maximum number of tasks that wait. Others end, so the memory of a burst is freed.
    private static let maximum = 64

    private var waiting: [UnsafeContinuation<Iteration?, Never>] = []
    private var isFinished = false

    /// Starts an iteration on a waiting task.
    ///
    /// - Returns: Whether a task was waiting.
    func start(_ iteration: Iteration) -> Bool {
        guard let worker = waiting.popLast() else { return false }
        worker.resume(returning: iteration)
        return true
    }

    /// Waits for the next iteration of a task.
    ///
    /// - Returns: The iteration; nil if the task is not needed any more.
    nonisolated(nonsending) func next() async -> Iteration? {
        guard !isFinished, waiting.count < Self.maximum else { return nil }
        return await withUnsafeContinuation { waiting.append($0) }
    }

    /// Ends the waiting tasks, and those that would wait from now on.
    func finish() {
        isFinished = true
        for worker in waiting { worker.resume(returning: nil) }
        waiting = []
    }
}
