import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension FileSystem {
    /// Replaces the contents of a file in one step, so that no reader and no crash meets half of them.
    ///
    /// - Parameters:
    ///   - path: The file, not a symbolic link.
    ///   - bytes: The new contents; the file's mode stays.
    ///   - expected: What the file holds; with anything else it is left as it is.
    static func replace(
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
                if: { (try? self.bytes(ofFile: path)) == expected })
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
