/// A response's body on its way to a file.
///
/// ```swift
/// let download = session.get("images/disk.iso").download(to: "/srv/disk.iso", options: .init(resumes: true))
/// for await progress in download.progress { print(progress.fraction ?? 0) }
/// let file = try await download.file()
/// ```
///
/// Nothing is sent before ``file()`` or ``progress`` is asked. The file appears at its place with all its contents, or not
/// at all. When nobody holds the download any more, it is cancelled.
public final class Download: Sendable {
    private let task: TransferTask<DownloadedFile>

    init(_ run: DownloadRun) {
        task = TransferTask { board throws(SessionError) in try await run.run(board) }
    }

    /// How far the download is: bytes of the file, those included that an earlier download has left.
    public var progress: TransferProgressUpdates { task.progress }

    /// Waits for the file; cancelling the task that waits cancels the download.
    ///
    /// It can be asked for any number of times, for one transfer.
    /// - Throws: ``SessionError``; with ``SessionError/Reason/unacceptableResponse`` for a status that is not 2xx, the
    ///   beginning of the body in its response; with ``SessionError/Reason/fileNotWritable`` where the file system refuses.
    public func file() async throws(SessionError) -> DownloadedFile {
        try await task.value()
    }

    /// Ends the download; ``file()`` then fails with ``SessionError/Reason/cancelled``.
    public func cancel() {
        task.cancel()
    }
}

extension PendingExchange {
    /// The download of the response's body to a file; nothing is sent before its file or progress is asked for.
    ///
    /// Neither ``Limits/bodyBytes`` nor ``Timeouts/total`` of the session apply, but those of the request do, and
    /// ``DownloadOptions/maximumBytes``.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - options: What becomes of a file that is there, of folders, and of a transfer that breaks off.
    public func download(to path: String, options: DownloadOptions = .init()) -> Download {
        Download(DownloadRun(exchange: self, path: path, options: options))
    }
}
