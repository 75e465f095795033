import CEL
import HTTPSession
import RunModel
import Synchronization

/// The calls that a run makes once and shares, whichever test of whichever suite makes them first.
///
/// The first caller makes the call, in its own task; the others wait without keeping a thread. When it fails, all that
/// wait are told, and so are those who ask later, unless they may make more attempts than were made. A caller that is
/// cancelled leaves the call to the next one.
final class SharedCalls: Sendable {
    /// What makes two calls the same.
    struct Key: Hashable, Sendable {
        /// The fragment.
        var fragment: ObjectIdentifier
        /// The arguments, as JSON.
        var arguments: String
        /// What the fragment's relative URLs resolve against; nil when it can have none.
        var baseURL: String?
        /// What files of `dotenv` give `env()` in the calling suite.
        var environment: [String: String]
    }

    /// What a call that passed leaves to all who share it.
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
        /// The attempts that this caller could make.
        var attempts: Int
        /// What was wrong.
        var findings: [Finding]
        /// The exchange that did not pass.
        var exchange: Exchange?
    }

    /// What a caller is to do.
    enum Claim: Sendable {
        /// Make the call, and say what came of it; so many attempts were made before.
        case call(attemptsMade: Int)
        /// Take the outputs.
        case outputs(Outputs)
        /// Do without.
        case failure(Failure)
        /// Nothing: the caller was cancelled while it waited.
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

    /// What a caller is to do; waits while another one makes the call.
    ///
    /// - Parameter attempts: How many attempts the caller may make, those that others made before included.
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
                        // Whoever is cancelled from here on is found among those who wait.
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

    /// Gives the outputs to all who wait and all who ask later.
    func pass(_ key: Key, _ outputs: Outputs) {
        let waiters = calls.withLock { calls in
            let waiters = Self.waiters(calls.states[key])
            calls.states[key] = .passed(outputs)
            return waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: .outputs(outputs)) }
    }

    /// Tells the failure to all who wait and all who ask later; the first that may make more attempts makes the call.
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

    /// Leaves a call that was cancelled to the first who waits, or to whoever asks next.
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

    /// How many callers wait for a call.
    func waiting(for key: Key) -> Int {
        calls.withLock { Self.waiters($0.states[key]).count }
    }

    private static func waiters(_ state: State?) -> [Waiter] {
        if case .running(let waiters) = state { waiters } else { [] }
    }
}
