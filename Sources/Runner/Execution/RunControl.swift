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
