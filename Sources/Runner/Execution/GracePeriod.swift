import Synchronization

/// Lets a teardown go on when the run is interrupted, for a bounded time after the interruption.
final class GracePeriod: Sendable {
    /// How long after the interruption of the run its teardowns are cancelled too, in nanoseconds.
    static let length: Int64 = 10_000_000_000

    private let clock: RunClock
    /// When the run was interrupted.
    private let interruption: @Sendable () -> Int64?
    private let timer = Mutex<Task<Void, Never>?>(nil)

    /// Creates the period for one piece of work.
    init(clock: RunClock, interruption: @escaping @Sendable () -> Int64?) {
        self.clock = clock
        self.interruption = interruption
    }

    /// Does the work to its end, or to that of the period if the calling task is or gets cancelled.
    func run(on executor: any TaskExecutor, _ work: @escaping @Sendable () async -> Void) async {
        // A task of its own, since those of a cancelled one are cancelled too; this function owns it and waits for it.
        let task = Task(executorPreference: executor, operation: work)
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            let now = clock.now()
            let left = max(0, (interruption() ?? now) + Self.length - now)
            let clock = clock
            let waiting = Task {
                do {
                    try await clock.sleep(left)
                    task.cancel()
                } catch {
                    return
                }
            }
            timer.withLock { $0 = waiting }
        }
        timer.withLock { $0?.cancel() }
    }
}
