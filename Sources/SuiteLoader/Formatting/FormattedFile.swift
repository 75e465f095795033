/// A file and what formatting makes of it.
public struct FormattedFile: Sendable {
    /// The path as the user is shown it.
    public var path: String
    /// The path of the file itself, absolute and without symbolic links.
    public var target: String
    /// The bytes of the file.
    public var before: [UInt8]
    /// The formatted bytes.
    public var after: [UInt8]

    /// Creates a file.
    public init(path: String, target: String, before: [UInt8], after: [UInt8]) {
        self.path = path
        self.target = target
        self.before = before
        self.after = after
    }

    /// Whether formatting changes the file.
    public var isChanged: Bool { before != after }

    /// What formatting changes, as a unified diff; empty when that is nothing.
    public var difference: String { LineDifference(before: before, after: after).unified(name: path) }

    /// Replaces the file with what was formatted.
    ///
    /// - Throws: ``FileWriteFailure`` when that cannot be done, or when the file was changed since it was read; then it
    ///   is as it was.
    public func write() throws(FileWriteFailure) {
        guard isChanged else { return }
        try FileSystem.replace(target, with: after, expecting: before)
    }
}
