#if canImport(Testing)
import APITestKit
import Reports
import RunModel
import Runner
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

#if canImport(Testing)
import Reports
import SuiteModel
import Synchronization

/// The results of a run, each handed to whoever waits for it.
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

    /// What concerns the run and no single test.
    var notices: [RunNotice] { state.withLock { $0.notices } }

    /// Waits for the result of a test; nil when there will be none, or the waiting task is cancelled.
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
        case .runStarted, .suiteStarted, .testStarted, .testCompleted, .secretLearned, .suiteFinished, .interrupted,
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
