import Synchronization

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
