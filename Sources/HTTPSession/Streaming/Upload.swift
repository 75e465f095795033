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
