import Synchronization

/// A transfer that starts when its result or progress is first requested, and is cancelled on release.
final class TransferTask<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, SessionError>
    typealias Work = @Sendable (ProgressBoard) async throws(SessionError) -> Value

    let board = ProgressBoard()
    private let work: Work
    private let task = Mutex<Task<Outcome, Never>?>(nil)

    init(_ work: @escaping Work) {
        self.work = work
    }

    deinit {
        task.withLock { $0 }?.cancel()
    }

    /// Starts the transfer unless it has been started.
    @discardableResult
    func start() -> Task<Outcome, Never> {
        task.withLock { task in
            if let task { return task }
            let started = Task { [work, board] () async -> Outcome in
                defer { board.finish() }
                do throws(SessionError) {
                    return .success(try await work(board))
                } catch {
                    return .failure(error)
                }
            }
            task = started
            return started
        }
    }

    /// Waits for the result; cancelling the waiting task cancels the transfer.
    func value() async throws(SessionError) -> Value {
        let task = start()
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try outcome.get()
    }

    /// Cancels the transfer.
    func cancel() {
        start().cancel()
    }

    /// The progress of the transfer; the sequence keeps the transfer alive.
    var progress: TransferProgressUpdates {
        TransferProgressUpdates(board: board) { self.start() }
    }
}

/// The progress updates of a transfer; the sequence ends when the transfer ends, successfully or not.
///
/// A reader that is slower than the transfer gets the newest update and misses those between. Several readers are
/// allowed. Requesting the first update starts the transfer.
public struct TransferProgressUpdates: AsyncSequence, Sendable {
    /// A progress update.
    public typealias Element = TransferProgress
    /// The sequence never throws: errors are reported by the transfer itself.
    public typealias Failure = Never

    let board: ProgressBoard
    /// Starts the transfer if necessary, and keeps it alive while the sequence exists.
    let start: @Sendable () -> Void

    /// Returns an iterator, which starts with the newest update.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(board: board, start: start) }

    /// The iterator over progress updates.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let board: ProgressBoard
        fileprivate let start: @Sendable () -> Void
        private var seen = 0

        fileprivate init(board: ProgressBoard, start: @escaping @Sendable () -> Void) {
            self.board = board
            self.start = start
        }

        /// Returns the newest update, or nil after the transfer has ended or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async -> TransferProgress? {
            start()
            guard let (progress, version) = await board.next(after: seen) else { return nil }
            seen = version
            return progress
        }

        /// Returns the newest update, or nil after the transfer has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TransferProgress? {
            await next()
        }
    }
}

/// The newest progress of a transfer, shared with its readers.
final class ProgressBoard: Sendable {
    typealias Update = (progress: TransferProgress, version: Int)

    private struct State {
        var newest: Update?
        var isOver = false
        var lastID = 0
        var waiters: [Int: UnsafeContinuation<Update?, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Publishes a progress update.
    func post(_ progress: TransferProgress) {
        let (update, waiters) = state.withLock { state in
            let update = (progress, (state.newest?.version ?? 0) + 1)
            state.newest = update
            defer { state.waiters = [:] }
            return (update, Array(state.waiters.values))
        }
        for waiter in waiters { waiter.resume(returning: update) }
    }

    /// Ends the sequences of all readers.
    func finish() {
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    /// Waits for an update that is newer than the given version; nil at the end.
    func next(after seen: Int) async -> Update? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Update?, Never>) in
                let ready: Update?? = state.withLock { state in
                    if let newest = state.newest, newest.version > seen { return .some(newest) }
                    if state.isOver || Task.isCancelled { return .some(nil) }
                    state.waiters[id] = waiter
                    return nil
                }
                if let ready { waiter.resume(returning: ready) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }
}

/// An upload of a request's body to a server.
///
/// ```swift
/// let upload = session.put("backups/1", body: .file(path: "/srv/backup")).upload()
/// for await progress in upload.progress { print(progress.fraction ?? 0) }
/// let response = try await upload.response()
/// ```
///
/// Nothing is sent before the first use of ``response()`` or ``progress``. The upload is cancelled when its last
/// reference is released.
public final class Upload: Sendable {
    private let task: TransferTask<Response>

    init(_ exchange: PendingExchange) {
        task = TransferTask { board throws(SessionError) in
            let also = exchange.uploadProgress
            return try await exchange.onUploadProgress { progress in
                board.post(progress)
                also?(progress)
            }.response()
        }
    }

    /// The number of body bytes handed to the network; it restarts from zero when the body is resent.
    ///
    /// The bytes are counted as sent, that is, after compression.
    public var progress: TransferProgressUpdates { task.progress }

    /// Waits for the response; cancelling the waiting task cancels the upload.
    ///
    /// It can be called any number of times for one exchange.
    /// - Throws: ``SessionError``, also if a validator rejects the response.
    public func response() async throws(SessionError) -> Response {
        try await task.value()
    }

    /// Cancels the upload; ``response()`` then fails with ``SessionError/Reason/cancelled``.
    public func cancel() {
        task.cancel()
    }
}

extension PendingExchange {
    /// Returns an upload of the request's body with observable progress; nothing is sent before it is used.
    public func upload() -> Upload { Upload(self) }
}
