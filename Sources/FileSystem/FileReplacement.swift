package import Basics

#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Darwin)
package import Darwin
#endif

/// The error of a system call.
package struct SystemError: Error, Sendable, Hashable {
    /// The error number, such as `ENOENT`.
    package let number: Int32

    /// Creates an error from an error number; by default, that of the last system call.
    package init(_ number: Int32 = errno) { self.number = number }

    /// The system's description of the error, such as `No such file or directory`.
    package var message: MessageText { MessageText(words: String(cString: strerror(number))) }
}

/// Atomic file replacement: readers see either the old or the new contents, even after a crash.
package enum FileReplacement {
    /// Writes a file under a temporary name and moves it to its path.
    ///
    /// - Parameters:
    ///   - path: The path of the file; a symbolic link is replaced, not followed.
    ///   - permissions: The file mode; nil for the process's default for new files.
    ///   - isDurable: Whether the bytes are flushed to the disk before the file is replaced, which takes milliseconds.
    ///     Without it, some file systems have an empty file after a crash.
    ///   - isWanted: A function called after everything has been written; if it returns false, the file is left
    ///     unchanged.
    /// - Returns: Whether the file was replaced.
    @discardableResult
    package static func write(
        _ bytes: [UInt8], to path: String, permissions: mode_t? = nil, isDurable: Bool = false,
        if isWanted: () -> Bool = { true }
    ) throws(SystemError) -> Bool {
        let temporary = temporaryPath(for: path)
        let descriptor = try create(temporary)
        var isOpen = true
        do throws(SystemError) {
            if let permissions, fchmod(descriptor, permissions) != 0 { throw SystemError() }
            try write(bytes, to: descriptor)
            if isDurable, fsync(descriptor) != 0 { throw SystemError() }
            isOpen = false
            if close(descriptor) != 0 { throw SystemError() }
            guard isWanted() else {
                unlink(temporary)
                return false
            }
            if rename(temporary, path) != 0 { throw SystemError() }
        } catch {
            if isOpen { close(descriptor) }
            unlink(temporary)
            throw error
        }
        return true
    }

    /// Checks whether a file can be written, without changing it.
    ///
    /// Permissions do not reveal a read-only file system, so a temporary file is created and removed.
    package static func check(_ path: String) throws(SystemError) {
        let temporary = temporaryPath(for: path)
        close(try create(temporary))
        unlink(temporary)
    }

    /// Returns the path of the temporary file in the same directory.
    private static func temporaryPath(for path: String) -> String {
        Path.absolute(".\(Path.lastComponent(of: path)).\(getpid())", in: Path.parent(of: path))
    }

    private static func create(_ path: String) throws(SystemError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError() }
        return descriptor
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                systemWrite(descriptor, buffer.baseAddress.map { $0 + position }, bytes.count - position)
            }
            if count > 0 { position += count } else if errno != EINTR { throw SystemError() }
        }
    }
}

/// Calls the system's `write`, under a name that no method shadows.
private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, start, count)
}
