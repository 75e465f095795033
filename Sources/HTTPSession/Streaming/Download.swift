public import FoundationEssentials

/// A download of a response's body to a file.
///
/// ```swift
/// let download = session.get("images/disk.iso").download(to: "/srv/disk.iso", options: .init(resumes: true))
/// for await progress in download.progress { print(progress.fraction ?? 0) }
/// let file = try await download.file()
/// ```
///
/// Nothing is sent before the first use of ``file()`` or ``progress``. The file appears at its path complete or not at
/// all. The download is cancelled when its last reference is released.
public final class Download: Sendable {
    private let task: TransferTask<DownloadedFile>

    init(_ run: DownloadRun) {
        task = TransferTask { board throws(SessionError) in try await run.run(board) }
    }

    /// The progress of the download in bytes of the file, including those of a previous, resumed download.
    public var progress: TransferProgressUpdates { task.progress }

    /// Waits for the file; cancelling the waiting task cancels the download.
    ///
    /// It can be called any number of times for one transfer.
    /// - Throws: ``SessionError``; ``SessionError/Reason/unacceptableResponse`` for a status other than 2xx, with the
    ///   start of the body in its response; ``SessionError/Reason/fileNotWritable`` if the file cannot be written.
    public func file() async throws(SessionError) -> DownloadedFile {
        try await task.value()
    }

    /// Cancels the download; ``file()`` then fails with ``SessionError/Reason/cancelled``.
    public func cancel() {
        task.cancel()
    }
}

extension PendingExchange {
    /// Returns a download of the response's body to a file; nothing is sent before its file or progress is requested.
    ///
    /// The session's ``Limits/bodyBytes`` and ``Timeouts/total`` do not apply. The request's own do, and so does
    /// ``DownloadOptions/maximumBytes``.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - options: The treatment of existing files, missing directories and interrupted transfers.
    public func download(to path: String, options: DownloadOptions = .init()) -> Download {
        Download(DownloadRun(exchange: self, path: path, options: options))
    }

    /// Returns a download of the response's body to a file.
    public func download(to url: URL, options: DownloadOptions = .init()) -> Download {
        download(to: url.path, options: options)
    }
}

/// The options of a download: permissions, resumption, and existing files.
///
/// ```swift
/// let download = session.get("disk.iso").download(to: "/srv/disk.iso", options: DownloadOptions(resumes: true))
/// print(try await download.file().length)
/// ```
public struct DownloadOptions: Sendable, Hashable {
    /// Whether missing parent directories are created.
    public var createsDirectories: Bool
    /// Whether an existing file is replaced; otherwise it is an error, reported before anything is sent.
    public var replacesFile: Bool
    /// The permissions of the file, such as `0o600`; nil for the default of new files (`0o666` minus the umask).
    public var permissions: UInt16?
    /// Whether an interrupted transfer keeps its partial file, and the next download to the same path resumes it.
    ///
    /// Resuming needs a strong `ETag`, or a `Last-Modified` date that can serve as a strong validator (RFC 9110,
    /// section 13.1.5). The partial file and its metadata are kept next to the file, as `.NAME.partial` and
    /// `.NAME.partial.info`. No content coding is requested then.
    public var resumes: Bool
    /// The maximum number of times that a transfer is continued after its connection is lost; needs ``resumes``.
    public var continuations: Int
    /// The maximum size of the file in bytes; nil for no limit.
    public var maximumBytes: Int?

    /// Creates options; by default, directories are created, a file is replaced, and nothing is kept after a failure.
    public init(
        createsDirectories: Bool = true, replacesFile: Bool = true, permissions: UInt16? = nil, resumes: Bool = false,
        continuations: Int = 0, maximumBytes: Int? = nil
    ) {
        self.createsDirectories = createsDirectories
        self.replacesFile = replacesFile
        self.permissions = permissions
        self.resumes = resumes
        self.continuations = continuations
        self.maximumBytes = maximumBytes
    }
}

/// A downloaded file and its response.
public struct DownloadedFile: Sendable {
    /// The path of the file.
    public var path: String
    /// The length of the file in bytes.
    public var length: Int
    /// The number of bytes that were taken from a previous, interrupted transfer.
    public var resumedBytes: Int
    /// The response of the last transfer, without its body; its status may be 206.
    public var response: Response
    /// The timings of the last transfer, including its body.
    public var metrics: ExchangeMetrics
}
