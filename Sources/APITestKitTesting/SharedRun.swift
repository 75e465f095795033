#if canImport(Testing)
import APITestKit
import Reports
import RunModel
import Runner
import Synchronization

/// The run that all cases of one `load` call share; it starts when the first case asks for its result.
final class SharedRun: Sendable {
    /// The identity of a test within the run.
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

    /// Interrupts the run, because its remaining results are no longer needed.
    deinit { control.interrupt() }

    /// Returns the result of a test, and starts the run if necessary.
    ///
    /// - Returns: The result; nil if the run finished without one or the waiting task was canceled.
    func result(of key: Key) async -> TestResult? {
        start()
        return await results.result(of: key)
    }

    /// Notices about the run as a whole, such as a server that exited on its own.
    var notices: [RunNotice] { results.notices }

    /// Starts the run once, in a detached task. The task that asks first must not own it, as that task may be
    /// canceled.
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

#if canImport(Testing)
import Reports
import SuiteModel
import Synchronization

/// A reporter that collects the results of a run and delivers each to the tasks that wait for it.
final class RunResults: Reporter {
    private typealias Waiter = (id: Int, continuation: CheckedContinuation<TestResult?, Never>)

    private struct State {
        var results: [SharedRun.Key: TestResult] = [:]
        var waiters: [SharedRun.Key: [Waiter]] = [:]
        var notices: [RunNotice] = []
        var isFinished = false
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Notices about the run as a whole.
    var notices: [RunNotice] { state.withLock { $0.notices } }

    /// Waits for the result of a test.
    ///
    /// - Returns: The result; nil if the run finishes without one or the waiting task is canceled.
    func result(of key: SharedRun.Key) async -> TestResult? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: TestResult?? = state.withLock { state in
                    if let result = state.results[key] { return .some(result) }
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    state.waiters[key, default: []].append((id, continuation))
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters[key]?.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiters[key]?.remove(at: index)
            }
            waiter?.continuation.resume(returning: nil)
        }
    }

    // MARK: Reporter

    func receive(_ event: RunEvent) {
        switch event {
        case .testFinished(let result):
            let key = SharedRun.Key(result.test)
            let waiters = state.withLock { state in
                state.results[key] = result
                return state.waiters.removeValue(forKey: key) ?? []
            }
            for waiter in waiters { waiter.continuation.resume(returning: result) }
        case .notice(let notice):
            state.withLock { $0.notices.append(notice) }
        case .runStarted, .suiteStarted, .testStarted, .testCompleted, .secretRegistered, .load, .suiteFinished,
            .interrupted,
            .runFinished:
            break
        }
    }

    func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [:] }
            return state.waiters.values.flatMap { $0 }
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }
}
#endif
