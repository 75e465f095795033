import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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
        try File.replace(target, with: after, expecting: before)
    }
}

extension File {
    /// Replaces the contents of a file in one step, so that no reader and no crash meets half of them.
    ///
    /// - Parameters:
    ///   - path: The file, not a symbolic link.
    ///   - bytes: The new contents; the file's mode stays.
    ///   - expected: What the file holds; with anything else it is left as it is.
    fileprivate static func replace(
        _ path: String, with bytes: [UInt8], expecting expected: [UInt8]
    ) throws(FileWriteFailure) {
        var information = stat()
        guard lstat(path, &information) == 0 else { throw failure() }
        guard information.st_mode & S_IFMT == S_IFREG else { throw FileWriteFailure(reason: "it is no regular file") }
        guard access(path, W_OK) == 0 else { throw failure() }
        let isReplaced: Bool
        do throws(SystemError) {
            isReplaced = try FileReplacement.write(
                bytes, to: path, permissions: information.st_mode & 0o7777, isDurable: true,
                if: { (try? File.bytes(at: path)) == expected })
        } catch {
            throw FileWriteFailure(reason: error.message.lowercased())
        }
        if !isReplaced { throw FileWriteFailure(reason: "it was changed meanwhile") }
    }

    /// The failure of the call before.
    private static func failure() -> FileWriteFailure {
        FileWriteFailure(reason: Failure(code: errno).reason)
    }
}

/// Why a file could not be written.
public struct FileWriteFailure: Error, Sendable {
    /// The reason, in the system's words.
    public let reason: String
}
