import Basics
import Synchronization

/// The queue of incoming messages that have not been read yet.
final class WebSocketInbox: Sendable {
    typealias Outcome = Result<WebSocketMessage?, SessionError>

    /// The number of queued bytes at which reading from the connection is paused.
    static let highWater = 1 << 20
    /// The cost of a message in addition to its bytes, so that empty messages count too.
    private static let messageCost = 64

    private struct State {
        var messages: [WebSocketMessage] = []
        var first = 0
        var waiting = 0
        var isPaused = false
        var result: Result<Void, SessionError>?
        var closure: WebSocketClosure?
        var lastID = 0
        var readers: [(id: Int, waiter: UnsafeContinuation<Outcome, Never>)] = []
    }

    private enum Step {
        case value(Outcome, resumes: Bool)
        case wait
    }

    private let state = Mutex(State())

    /// The way in which the connection ended; nil while it is open.
    var closure: WebSocketClosure? { state.withLock { $0.closure } }

    /// The error that ended the connection; nil while it is open, and after a close frame from the server.
    var failure: SessionError? {
        state.withLock { state in if case .failure(let error)? = state.result { error } else { nil } }
    }

    /// Whether the queue is full and the connection should not be read.
    var isFull: Bool { state.withLock { $0.isPaused } }

    /// Adds a message to the queue.
    /// - Returns: Whether the connection may be read further.
    func push(_ message: WebSocketMessage) -> Bool {
        let (reader, goesOn): (UnsafeContinuation<Outcome, Never>?, Bool) = state.withLock { state in
            guard state.result == nil else { return (nil, true) }
            if !state.readers.isEmpty { return (state.readers.removeFirst().waiter, true) }
            state.messages.append(message)
            state.waiting += message.byteCount + Self.messageCost
            state.isPaused = state.waiting >= Self.highWater
            return (nil, !state.isPaused)
        }
        reader?.resume(returning: .success(message))
        return goesOn
    }

    /// Ends the messages; queued ones can still be read. Later calls have no effect.
    func finish(_ result: Result<Void, SessionError>, _ closure: WebSocketClosure) {
        let readers = state.withLock { state in
            guard state.result == nil else { return [UnsafeContinuation<Outcome, Never>]() }
            state.result = result
            state.closure = closure
            defer { state.readers = [] }
            return state.readers.map(\.waiter)
        }
        for reader in readers { reader.resume(returning: result.map { nil }) }
    }

    /// Returns the next message, or nil at the end; a cancelled task gets an error, and no message is lost.
    /// - Parameter onDemand: A function that resumes reading from the connection.
    func next(onDemand: () -> Void) async throws(SessionError) -> WebSocketMessage? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Outcome, Never>) in
                switch step(id, waiter) {
                case .wait: break
                case .value(let outcome, let resumes):
                    waiter.resume(returning: outcome)
                    if resumes { onDemand() }
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.readers.firstIndex { $0.id == id }.map { state.readers.remove(at: $0).waiter }
            }
            waiter?.resume(returning: .failure(Self.cancelled))
        }
        return try outcome.get()
    }

    private static var cancelled: SessionError {
        SessionError(phase: .receive, reason: .cancelled, message: "the waiting task was canceled")
    }

    private func step(_ id: Int, _ waiter: UnsafeContinuation<Outcome, Never>) -> Step {
        state.withLock { state in
            if state.first < state.messages.count {
                let message = state.messages[state.first]
                state.messages[state.first] = .binary([])
                state.first += 1
                if state.first == state.messages.count {
                    state.messages.removeAll(keepingCapacity: true)
                    state.first = 0
                }
                state.waiting -= message.byteCount + Self.messageCost
                let resumes = state.isPaused && state.waiting <= Self.highWater / 2
                if resumes { state.isPaused = false }
                return .value(.success(message), resumes: resumes)
            }
            if let result = state.result { return .value(result.map { nil }, resumes: false) }
            if Task.isCancelled { return .value(.failure(Self.cancelled), resumes: false) }
            state.readers.append((id, waiter))
            return .wait
        }
    }
}

/// A one-time result that a single task awaits.
final class SingleReply<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, SessionError>

    private struct State {
        var outcome: Outcome?
        var waiter: UnsafeContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    /// Sets the result; later calls have no effect.
    func resume(_ outcome: Outcome) {
        let waiter: UnsafeContinuation<Outcome, Never>? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.waiter.take()
        }
        waiter?.resume(returning: outcome)
    }

    /// Waits for the result, or until the task is cancelled.
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
                .failure(SessionError(phase: .receive, reason: .cancelled, message: "the waiting task was canceled")))
        }
        return try outcome.get()
    }
}
