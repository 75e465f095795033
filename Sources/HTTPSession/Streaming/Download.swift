public import FoundationEssentials

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

    /// Returns a download of the response's body to a file.
    public func download(to url: URL, options: DownloadOptions = .init()) -> Download {
        download(to: url.path, options: options)
    }
}

/// How a download makes its file.
public struct DownloadOptions: Sendable, Hashable {
    /// Whether folders that the path needs are made.
    public var createsFolders: Bool
    /// Whether a file that is there is replaced; otherwise it is an error, before anything is sent.
    public var replacesFile: Bool
    /// The permissions of the file, such as `0o600`; nil for those that a new file gets (`0o666` without the umask).
    public var permissions: UInt16?
    /// Whether a transfer that breaks off leaves what it has, for the next download to the same path to go on from.
    ///
    /// That needs a strong `ETag` or a `Last-Modified` date that can serve as one (RFC 9110 section 13.1.5). The parts are
    /// kept beside the file, as `.NAME.partial` and `.NAME.partial.info`. Content codings are not asked for then.
    public var resumes: Bool
    /// How many times a transfer whose connection is lost is continued at once; needs ``resumes``.
    public var continuations: Int
    /// The largest file in bytes; nil for no limit.
    public var maximumBytes: Int?

    /// Creates options; without arguments, folders are made, a file is replaced, and nothing is left of a failure.
    public init(
        createsFolders: Bool = true, replacesFile: Bool = true, permissions: UInt16? = nil, resumes: Bool = false,
        continuations: Int = 0, maximumBytes: Int? = nil
    ) {
        self.createsFolders = createsFolders
        self.replacesFile = replacesFile
        self.permissions = permissions
        self.resumes = resumes
        self.continuations = continuations
        self.maximumBytes = maximumBytes
    }
}

/// A file that has been downloaded.
public struct DownloadedFile: Sendable {
    /// The path of the file.
    public var path: String
    /// The length of the file in bytes.
    public var length: Int
    /// How many of the bytes an earlier transfer had left.
    public var resumedBytes: Int
    /// The response, its body empty; of the last transfer, so its status may be 206.
    public var response: Response
    /// Where the time of the last transfer went, the body included.
    public var metrics: ExchangeMetrics
}
