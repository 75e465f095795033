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
        let temporary = try temporaryPath(for: path, shown: shown, root: root)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(shown) }
        let isWritten = write(bytes, to: descriptor)
        let code = errno
        guard close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else {
            if !isWritten { errno = code }
            defer { unlink(temporary) }
            throw failure(shown)
        }
    }

    /// Checks that a file could be written now, and changes nothing.
    ///
    /// Permissions alone do not tell of a file system that is mounted read-only, so a file is made and removed.
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
        let temporary = try temporaryPath(for: path, shown: shown, root: root)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(shown) }
        close(descriptor)
        unlink(temporary)
    }

    /// The path of the file that is written before it takes another's place, in the same directory.
    private static func temporaryPath(
        for path: String, shown: String, root: String?
    ) throws(Failure) -> String {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[..<$0]) } ?? "."
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        if let root {
            guard let real = Path.real(folder.isEmpty ? "/" : folder), Path.isInside(real, Path.real(root) ?? root)
            else {
                throw Failure(message: "\(shown) is outside of the project folder; --file-root widens it")
            }
        }
        return "\(folder)/.\(name).\(getpid())"
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var position = 0
            while position < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + position }, buffer.count - position)
                if count < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                position += count
            }
            return true
        }
    }

    /// The failure of the call before.
    private static func failure(_ shown: String) -> Failure {
        Failure(message: "\(shown) cannot be written: \(String(cString: strerror(errno)))")
    }
}
