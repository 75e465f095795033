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
