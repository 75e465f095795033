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
