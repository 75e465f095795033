import FileSystem
import Glibc

/// Writes a file as a whole: who reads it meanwhile sees the old one or the new one.
public enum ReplacedFile {
    /// Why a file cannot be written.
    public struct Failure: Error, Sendable {
        /// One sentence without a final full stop.
        public var message: String
    }

    /// Writes a file, and takes the place of the one that is there.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is replaced, not followed.
    ///   - shown: The path that people are shown.
    ///   - root: The folder that the file must be in, absolute; nil for anywhere.
    public static func write(
        _ bytes: [UInt8], to path: String, shown: String, root: String? = nil
    ) throws(Failure) {
        try checkPlace(of: path, shown: shown, root: root)
        do throws(SystemError) { try FileReplacement.write(bytes, to: path) } catch { throw failure(shown, error) }
    }

    /// Checks that a file could be written now, and changes nothing.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - shown: The path that people are shown.
    ///   - root: The directory that the file must be in, absolute; nil for anywhere.
    public static func check(_ path: String, shown: String, root: String? = nil) throws(Failure) {
        var information = stat()
        // A device or pipe would be replaced, not written to.
        if stat(path, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
            throw Failure(message: "\(shown) is not a regular file")
        }
        try checkPlace(of: path, shown: shown, root: root)
        do throws(SystemError) { try FileReplacement.check(path) } catch { throw failure(shown, error) }
    }

    private static func checkPlace(of path: String, shown: String, root: String?) throws(Failure) {
        guard let root else { return }
        guard let real = Path.real(Path.parent(of: path)), Path.isInside(real, Path.real(root) ?? root) else {
            throw Failure(message: "\(shown) is outside of the project folder; --file-root widens it")
        }
    }

    private static func failure(_ shown: String, _ error: SystemError) -> Failure {
        Failure(message: "\(shown) cannot be written: \(error.message)")
    }
}
