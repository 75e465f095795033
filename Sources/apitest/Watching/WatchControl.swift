import Runner
import Synchronization

/// The handle by which a signal ends watching, and the run that is going on.
final class WatchControl: Sendable {
    private struct State {
        var isStopped = false
        var run: RunControl?
    }

    private let state = Mutex(State())

    /// Whether watching is to end.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The control of a run that begins; it is interrupted at once when watching is to end.
    func begin() -> RunControl {
        let run = RunControl()
        let isStopped = state.withLock { state in
            state.run = run
            return state.isStopped
        }
        if isStopped { run.interrupt() }
        return run
    }

    /// Ends watching.
    func stop() {
        let run = state.withLock { state in
            state.isStopped = true
            return state.run
        }
        run?.interrupt()
    }
}
