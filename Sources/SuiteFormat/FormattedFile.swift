import Basics
import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file and its formatted contents.
public struct FormattedFile: Sendable {
    /// The path of the file, for messages.
    public var path: String
    /// The absolute path of the file, with symbolic links resolved.
    public var target: String
    /// The original contents.
    public var before: [UInt8]
    /// The formatted contents.
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

    /// The changes as a unified diff; empty if there are none.
    public var difference: String { UnifiedDifference(before: before, after: after).unified(name: path) }

    /// Replaces the file with its formatted contents.
    ///
    /// - Throws: ``FileWriteFailure`` if the file cannot be written or has changed since it was read. It is left
    ///   unchanged then.
    public func write() throws(FileWriteFailure) {
        guard isChanged else { return }
        try File.replace(target, with: after, expecting: before)
    }
}

extension File {
    /// Atomically replaces the contents of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which must not be a symbolic link.
    ///   - bytes: The new contents. The file mode is preserved.
    ///   - expected: The expected current contents. A file with different contents is left unchanged.
    fileprivate static func replace(
        _ path: String, with bytes: [UInt8], expecting expected: [UInt8]
    ) throws(FileWriteFailure) {
        var information = stat()
        guard lstat(path, &information) == 0 else { throw failure() }
        guard information.st_mode & S_IFMT == S_IFREG else { throw FileWriteFailure(reason: "not a regular file") }
        guard access(path, W_OK) == 0 else { throw failure() }
        let isReplaced: Bool
        do throws(SystemError) {
            isReplaced = try FileReplacement.write(
                bytes, to: path, permissions: information.st_mode & 0o7777, isDurable: true,
                if: { (try? File.bytes(at: path)) == expected })
        } catch {
            throw FileWriteFailure(reason: error.message.text.lowercased())
        }
        if !isReplaced { throw FileWriteFailure(reason: "the file has changed in the meantime") }
    }

    /// Returns the error of the preceding system call.
    private static func failure() -> FileWriteFailure {
        FileWriteFailure(reason: Failure(code: errno).reason)
    }
}

/// An error that occurs when a file cannot be written.
public struct FileWriteFailure: Error, Sendable {
    /// The reason, as described by the system.
    public let reason: String
}
