#if canImport(Testing)
import APITestKit
import Reports
import Runner
import SuiteModel
import Synchronization

/// The run of all cases that were loaded together: it begins when the first of them wants its result.
final class SharedRun: Sendable {
    /// Which test a result is of.
    struct Key: Sendable, Hashable {
        var suite: Int
        var position: Int

        init(_ test: TestReference) {
            suite = test.suite
            position = test.position
        }
    }

    private enum State {
        case idle
        case running(Task<Void, Never>)
    }

    private let run: TestRun
    private let control = RunControl()
    private let results = RunResults()
    private let state = Mutex(State.idle)

    init(_ run: TestRun) {
        self.run = run
    }

    /// Nobody waits any more for what is still running.
    deinit { control.interrupt() }

    /// What became of a test; nil when the run has ended without a result for it, or the waiting task was cancelled.
    func result(of key: Key) async -> TestResult? {
        start()
        return await results.result(of: key)
    }

    /// What concerns the run and no single test, such as a server that has ended by itself.
    var notices: [RunNotice] { results.notices }

    /// Starts the run, once. It belongs to this object and not to the task that is first: that one may be cancelled.
    private func start() {
        state.withLock { state in
            guard case .idle = state else { return }
            state = .running(
                Task.detached { [run, control, results] in
                    _ = await run.start(control: control, reporters: [results])
                })
        }
    }
}
#endif
