public import Basics
public import Diagnostics
import FileSystem
import Glibc

/// Atomic replacement of files: concurrent readers see either the old or the new contents.
public enum ReplacedFile {
    /// The reason why a file cannot be written.
    public struct Failure: Error, Sendable {
        /// The kind of the error.
        public var id: ProblemID
        /// A one-sentence description without a final period.
        public var message: MessageText
    }

    /// Writes a file and replaces an existing one.
    ///
    /// - Parameters:
    ///   - path: The path of the file. A symbolic link is replaced, not followed.
    ///   - shown: The path as displayed in messages.
    ///   - root: The absolute path of the directory that must contain the file; nil for no restriction.
    public static func write(
        _ bytes: [UInt8], to path: String, shown: String, root: String? = nil
    ) throws(Failure) {
        try checkLocation(of: path, shown: shown, root: root)
        do throws(SystemError) { try FileReplacement.write(bytes, to: path) } catch { throw failure(shown, error) }
    }

    /// Checks whether a file can be written, without changing anything.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - shown: The path as displayed in messages.
    ///   - root: The absolute path of the directory that must contain the file; nil for no restriction.
    public static func check(_ path: String, shown: String, root: String? = nil) throws(Failure) {
        var information = stat()
        // A device or pipe would be replaced instead of written to.
        if stat(path, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
            throw Failure(id: .unwritableFile, message: "\"\(shown)\" is not a regular file")
        }
        try checkLocation(of: path, shown: shown, root: root)
        do throws(SystemError) { try FileReplacement.check(path) } catch { throw failure(shown, error) }
    }

    private static func checkLocation(of path: String, shown: String, root: String?) throws(Failure) {
        guard let root else { return }
        guard let real = Path.real(Path.parent(of: path)), Path.isInside(real, Path.real(root) ?? root) else {
            throw Failure(
                id: .fileOutsideRoot,
                message: "\"\(shown)\" is outside the project directory; use --file-root to allow it")
        }
    }

    private static func failure(_ shown: String, _ error: SystemError) -> Failure {
        Failure(id: .unwritableFile, message: "the file \"\(shown)\" cannot be written: \(error.message)")
    }
}
