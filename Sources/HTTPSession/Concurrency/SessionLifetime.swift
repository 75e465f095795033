import Synchronization

/// A signal that wakes waiting tasks when the session is closed.
final class SessionLifetime: Sendable {
    private struct State {
        var isEnded = false
        var lastID = 0
        var waiters: [Int: UnsafeContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Whether the session has been closed.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Resumes all waiting tasks. Later waits return immediately.
    func end() {
        let waiters = state.withLock { state in
            state.isEnded = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for a duration, or until the session is closed or the task is cancelled.
    func sleep(_ duration: Duration, clock: SessionClock) async {
        guard duration > .zero else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await clock.sleep(duration) }
            group.addTask { await self.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits until the session is closed or the task is cancelled.
    private func wait() async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
                let isOver = state.withLock { state in
                    if state.isEnded || Task.isCancelled { return true }
                    state.waiters[id] = waiter
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
