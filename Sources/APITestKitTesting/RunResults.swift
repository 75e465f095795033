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
