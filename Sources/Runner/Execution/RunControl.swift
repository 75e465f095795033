import NIOCore
public import RunModel
import Synchronization

/// A handle for interrupting a run.
public final class RunControl: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Bool, Never>)
        case interrupted
        case finished
    }

    private let state = Mutex(State.idle)

    /// Creates a control for one run.
    public init() {}

    /// Interrupts the run: cancels running tests, sends nothing further, and reports the interrupted tests.
    public func interrupt() {
        wake(with: .interrupted)?.resume(returning: true)
    }

    /// Ends the wait for an interruption when the run has finished.
    func finish() {
        wake(with: .finished)?.resume(returning: false)
    }

    /// Waits until the run is interrupted or finished.
    ///
    /// - Returns: Whether the run was interrupted.
    public func wait() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                switch state {
                case .idle, .waiting:
                    state = .waiting(continuation)
                    return nil
                case .interrupted: return true
                case .finished: return false
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func wake(with end: State) -> CheckedContinuation<Bool, Never>? {
        state.withLock { state in
            switch state {
            case .idle:
                state = end
                return nil
            case .waiting(let continuation):
                state = end
                return continuation
            case .interrupted, .finished:
                return nil
            }
        }
    }
}

/// A receiver of a run's events. The run calls it in order, never concurrently, and waits until it returns.
public typealias RunEventSink = @Sendable (RunEvent) -> Void

/// A limited period after an interruption of the run during which a teardown may continue.
final class GracePeriod: Sendable {
    /// The time from the interruption of the run to the cancellation of its teardowns, in nanoseconds.
    static let length: Int64 = 10_000_000_000

    private let clock: RunClock
    /// Returns the time of the interruption of the run.
    private let interruption: @Sendable () -> Int64?
    private let timer = Mutex<Task<Void, Never>?>(nil)

    /// Creates the grace period for one operation.
    init(clock: RunClock, interruption: @escaping @Sendable () -> Int64?) {
        self.clock = clock
        self.interruption = interruption
    }

    /// Runs the operation to its end and returns its result. If the calling task is cancelled, the operation is
    /// cancelled after the grace period.
    func run<Result: Sendable>(
        on executor: any TaskExecutor, _ work: @escaping @Sendable () async -> Result
    ) async -> Result {
        // An unstructured task, because cancellation propagates to child tasks. This function owns it and awaits it.
        let task = Task(executorPreference: executor, operation: work)
        let result = await withTaskCancellationHandler {
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
        return result
    }
}
