import CEL
import HTTPSession
import RunModel
import Synchronization

/// The calls that a run makes only once and shares among the tests of all suites.
///
/// The first caller makes the call in its own task. The others suspend. A failure is returned to all waiting and later
/// callers, except those that may make more attempts than were made. If a caller is cancelled, the next one makes the
/// call.
final class SharedCalls: Sendable {
    /// The identity of a call.
    struct Key: Hashable, Sendable {
        /// The fragment.
        var fragment: ObjectIdentifier
        /// The arguments, as JSON.
        var arguments: String
        /// The base URL of the fragment's relative URLs; nil if it cannot have any.
        var baseURL: String?
        /// The variables that the calling suite's dotenv files define for `env()`.
        var environment: [String: String]
    }

    /// The outputs of a successful call, for all callers.
    struct Outputs: Sendable {
        /// The outputs by name.
        var values: [(name: String, value: CELValue)]
        /// The cookies that its responses set.
        var cookies: [Cookie]
    }

    /// A call that did not pass.
    struct Failure: Sendable {
        /// The suite and test that made the call.
        var caller: String
        /// The maximum number of attempts of the caller.
        var attempts: Int
        /// The findings.
        var findings: [Finding]
        /// The exchange that did not pass.
        var exchange: Exchange?
    }

    /// The response to a caller that requests the call.
    enum Claim: Sendable {
        /// The caller must make the call and report the result. Previous callers made the given number of attempts.
        case call(attemptsMade: Int)
        /// The call was made, and the caller uses its outputs.
        case outputs(Outputs)
        /// The call did not pass.
        case failure(Failure)
        /// The caller was cancelled while it waited.
        case cancelled
    }

    private struct Waiter {
        var id: UInt64
        var attempts: Int
        var continuation: CheckedContinuation<Claim, Never>
    }

    private enum State {
        case running([Waiter])
        case passed(Outputs)
        case failed(Failure)
    }

    private struct Calls {
        var states: [Key: State] = [:]
        var lastID: UInt64 = 0
    }

    private let calls = Mutex(Calls())

    /// Creates an empty table.
    init() {}

    /// Returns the action for a caller. Suspends while another caller makes the call.
    ///
    /// - Parameter attempts: The maximum number of attempts of the caller, including those made by others.
    func claim(_ key: Key, attempts: Int) async -> Claim {
        let id = calls.withLock { calls in
            calls.lastID += 1
            return calls.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Claim? = calls.withLock { calls in
                    switch calls.states[key] {
                    case nil:
                        calls.states[key] = .running([])
                        return .call(attemptsMade: 0)
                    case .running(let waiters):
                        // From here on, a cancelled caller is found among the waiters.
                        if Task.isCancelled { return .cancelled }
                        let waiter = Waiter(id: id, attempts: attempts, continuation: continuation)
                        calls.states[key] = .running(waiters + [waiter])
                        return nil
                    case .passed(let outputs): return .outputs(outputs)
                    case .failed(let failure):
                        if failure.attempts >= attempts { return .failure(failure) }
                        calls.states[key] = .running([])
                        return .call(attemptsMade: failure.attempts)
                    }
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = calls.withLock { calls -> Waiter? in
                guard case .running(var waiters) = calls.states[key],
                    let index = waiters.firstIndex(where: { $0.id == id })
                else { return nil }
                let waiter = waiters.remove(at: index)
                calls.states[key] = .running(waiters)
                return waiter
            }
            waiter?.continuation.resume(returning: .cancelled)
        }
    }

    /// Returns the outputs to all waiting and later callers.
    func pass(_ key: Key, _ outputs: Outputs) {
        let waiters = calls.withLock { calls in
            let waiters = Self.waiters(calls.states[key])
            calls.states[key] = .passed(outputs)
            return waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: .outputs(outputs)) }
    }

    /// Returns the failure to all waiting and later callers. The first one that may make more attempts makes the call.
    func fail(_ key: Key, _ failure: Failure) {
        let (failed, next) = calls.withLock { calls in
            var waiters = Self.waiters(calls.states[key])
            let failed = waiters.filter { $0.attempts <= failure.attempts }
            waiters.removeAll { $0.attempts <= failure.attempts }
            let next = waiters.isEmpty ? nil : waiters.removeFirst()
            calls.states[key] = next == nil ? .failed(failure) : .running(waiters)
            return (failed, next)
        }
        for waiter in failed { waiter.continuation.resume(returning: .failure(failure)) }
        next?.continuation.resume(returning: .call(attemptsMade: failure.attempts))
    }

    /// Passes a cancelled call on to the first waiting caller, or to the next one that requests it.
    func abandon(_ key: Key, attemptsMade: Int) {
        let next = calls.withLock { calls -> Waiter? in
            var waiters = Self.waiters(calls.states[key])
            if waiters.isEmpty {
                calls.states[key] = nil
                return nil
            }
            let next = waiters.removeFirst()
            calls.states[key] = .running(waiters)
            return next
        }
        next?.continuation.resume(returning: .call(attemptsMade: attemptsMade))
    }

    /// Returns the number of callers that wait for a call.
    func waiting(for key: Key) -> Int {
        calls.withLock { Self.waiters($0.states[key]).count }
    }

    private static func waiters(_ state: State?) -> [Waiter] {
        if case .running(let waiters) = state { waiters } else { [] }
    }
}
