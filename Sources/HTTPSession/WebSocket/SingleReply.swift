import Synchronization

/// A result that one task waits for and another place gives, once.
final class SingleReply<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, SessionError>

    private struct State {
        var outcome: Outcome?
        var waiter: UnsafeContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    /// Gives the result; later ones have no effect.
    func resume(_ outcome: Outcome) {
        let waiter: UnsafeContinuation<Outcome, Never>? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.waiter.take()
        }
        waiter?.resume(returning: outcome)
    }

    /// Waits for the result, but no longer than the task is not cancelled.
    func value() async throws(SessionError) -> Value {
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Outcome, Never>) in
                let ready: Outcome? = state.withLock { state in
                    if state.outcome == nil { state.waiter = waiter }
                    return state.outcome
                }
                if let ready { waiter.resume(returning: ready) }
            }
        } onCancel: {
            resume(
                .failure(SessionError(phase: .receive, reason: .cancelled, message: "the waiting task was cancelled")))
        }
        return try outcome.get()
    }
}
