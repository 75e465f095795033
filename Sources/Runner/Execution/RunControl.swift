import NIOCore
public import RunModel
import Synchronization

/// The handle by which a signal stops a run.
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

    /// Stops the run: nothing more is sent, what is running is cancelled, and all of it is reported.
    public func interrupt() {
        wake(with: .interrupted)?.resume(returning: true)
    }

    /// Ends the waiting of a run that was not interrupted.
    func finish() {
        wake(with: .finished)?.resume(returning: false)
    }

    /// Waits for the interruption or the end of the run.
    ///
    /// - Returns: true when the run was interrupted.
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

/// What takes a run's events; called in order, never by two threads at once, and waited for.
public typealias RunEventSink = @Sendable (RunEvent) -> Void

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

/// The monotonic clock of a run, in nanoseconds from an arbitrary beginning, and the waiting by it.
public struct RunClock: Sendable {
    /// The current time, in nanoseconds.
    public let now: @Sendable () -> Int64
    /// Waits for so many nanoseconds; throws at once when the task is cancelled.
    public let sleep: @Sendable (Int64) async throws -> Void

    /// Creates a clock; tests give one that they move themselves.
    public init(
        now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Int64) async throws -> Void = { try await Task.sleep(for: .nanoseconds($0)) }
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// Returns the time so many nanoseconds from now, or the end of time for more than the clock has.
    func time(in nanoseconds: Int64) -> Int64 {
        let (time, isOver) = now().addingReportingOverflow(nanoseconds)
        return isOver ? .max : time
    }

    /// The machine's monotonic clock.
    public static let system = RunClock(now: { Int64(clamping: NIODeadline.now().uptimeNanoseconds) })
}
