import Synchronization

/// A transfer that is begun by whoever first asks for its result or progress, and cancelled when nobody holds it.
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

    /// Begins the transfer unless that has been done.
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

    /// The result; cancelling the task that waits for it cancels the transfer.
    func value() async throws(SessionError) -> Value {
        let task = start()
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try outcome.get()
    }

    /// Ends the transfer.
    func cancel() {
        start().cancel()
    }

    /// The progress of the transfer; it holds the transfer too.
    var progress: TransferProgressUpdates {
        TransferProgressUpdates(board: board) { self.start() }
    }
}

/// How far a transfer is, each time it has gone further; it ends when the transfer ends, however that may be.
///
/// A reader that is slower than the transfer gets the newest progress and misses those between. There may be several
/// readers. Asking for the first progress starts the transfer.
public struct TransferProgressUpdates: AsyncSequence, Sendable {
    /// A progress.
    public typealias Element = TransferProgress
    /// There are no errors: they are the transfer's.
    public typealias Failure = Never

    let board: ProgressBoard
    /// Starts the transfer if that has not been done, and holds it as long as somebody watches it.
    let start: @Sendable () -> Void

    /// An iterator, which begins with the newest progress.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(board: board, start: start) }

    /// Reads progress.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let board: ProgressBoard
        fileprivate let start: @Sendable () -> Void
        private var seen = 0

        fileprivate init(board: ProgressBoard, start: @escaping @Sendable () -> Void) {
            self.board = board
            self.start = start
        }

        /// The newest progress, or nil once the transfer has ended or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async -> TransferProgress? {
            start()
            guard let (progress, version) = await board.next(after: seen) else { return nil }
            seen = version
            return progress
        }

        /// The newest progress, or nil once the transfer has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TransferProgress? {
            await next()
        }
    }
}

/// Keeps the newest progress of a transfer for those who watch it.
final class ProgressBoard: Sendable {
    typealias Update = (progress: TransferProgress, version: Int)

    private struct State {
        var newest: Update?
        var isOver = false
        var lastID = 0
        var waiters: [Int: UnsafeContinuation<Update?, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Puts a progress up.
    func post(_ progress: TransferProgress) {
        let (update, waiters) = state.withLock { state in
            let update = (progress, (state.newest?.version ?? 0) + 1)
            state.newest = update
            defer { state.waiters = [:] }
            return (update, Array(state.waiters.values))
        }
        for waiter in waiters { waiter.resume(returning: update) }
    }

    /// Ends the watching.
    func finish() {
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    /// The newest progress, as soon as it is newer than the version that was seen; nil at the end.
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

/// A request whose body is on its way to a server.
///
/// ```swift
/// let upload = session.put("backups/1", body: .file(path: "/srv/backup")).upload()
/// for await progress in upload.progress { print(progress.fraction ?? 0) }
/// let response = try await upload.response()
/// ```
///
/// Nothing is sent before ``response()`` or ``progress`` is asked. When nobody holds the upload any more, it is cancelled.
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

    /// How much of the body was handed to the network; it begins anew when the body is sent again.
    ///
    /// The bytes are those that are sent, so after compression.
    public var progress: TransferProgressUpdates { task.progress }

    /// Waits for the response; cancelling the task that waits cancels the upload.
    ///
    /// It can be asked for any number of times, for one exchange.
    /// - Throws: ``SessionError``, also if a validator finds fault.
    public func response() async throws(SessionError) -> Response {
        try await task.value()
    }

    /// Ends the upload; ``response()`` then fails with ``SessionError/Reason/cancelled``.
    public func cancel() {
        task.cancel()
    }
}

extension PendingExchange {
    /// The upload of the request's body, whose progress can be watched; nothing is sent before it is asked for.
    public func upload() -> Upload { Upload(self) }
}
