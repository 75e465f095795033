import Basics
import RunModel
import Synchronization

/// The owner of a load's events.
final class LoadOwner: RunOwner {
    private struct State {
        var secrets: Set<String> = []
        var warnings: Set<MessageText> = []
        var counts = OutcomeCounts()
        var interruption: Int64?
    }

    /// The maximum number of different warnings.
    private static let maximumWarnings = 100

    private let state = Mutex(State())
    private let sink: RunEventSink

    /// Creates an owner.
    init(sink: @escaping RunEventSink) {
        self.sink = sink
    }

    var interruption: Int64? { state.withLock { $0.interruption } }

    /// The outcomes so far.
    var counts: OutcomeCounts { state.withLock { $0.counts } }

    func registerSecret(_ secret: String) {
        state.withLock { state in
            if state.secrets.insert(secret).inserted { sink(.secretRegistered(secret)) }
        }
    }

    func warn(_ notice: RunNotice) {
        state.withLock { state in
            guard state.warnings.count < Self.maximumWarnings, state.warnings.insert(notice.wording).inserted else {
                return
            }
            sink(.notice(notice))
        }
    }

    /// Emits an event.
    func emit(_ event: RunEvent) {
        state.withLock { _ in sink(event) }
    }

    /// Emits the result of a test.
    func finish(_ result: TestResult) {
        state.withLock { state in
            state.counts.count(result)
            sink(.testCompleted(result))
            sink(.testFinished(result))
        }
    }

    /// Records the interruption of the load.
    func interrupt(at time: Int64) {
        state.withLock { state in
            state.interruption = time
            sink(.interrupted(RunInterruption(runningTests: 0, hasTeardown: false)))
        }
    }
}
