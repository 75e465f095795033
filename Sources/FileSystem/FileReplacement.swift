#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Darwin)
package import Darwin
#endif

/// The failure of a call of the system.
package struct SystemError: Error, Sendable, Hashable {
    /// The number of the error, such as `ENOENT`.
    package let number: Int32

    /// Creates an error with a number; without one, of the call before.
    package init(_ number: Int32 = errno) { self.number = number }

    /// The system's words for it, such as `No such file or directory`.
    package var message: String { String(cString: strerror(number)) }
}

/// Writes files as a whole: whoever reads one meanwhile, also after a crash, has the old contents or the new ones.
package enum FileReplacement {
    /// Writes a file beside its place and puts it there.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is replaced, not followed.
    ///   - permissions: The file's mode; nil for what the process gives new files.
    ///   - isDurable: Whether the bytes are on the disk before the file is replaced, or some file systems have an empty one
    ///     after a crash; takes milliseconds.
    ///   - isWanted: Is asked when everything is written; the file stays as it was when it says no.
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

    /// Checks that a file could be written, and changes nothing.
    ///
    /// Permissions alone do not tell of a file system that is mounted read-only, so a file is made and removed.
    package static func check(_ path: String) throws(SystemError) {
        let temporary = temporaryPath(for: path)
        close(try create(temporary))
        unlink(temporary)
    }

    /// The path of the file that is written before it takes another's place, in the same directory.
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

/// The system's `write`, under a name that no method hides.
private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, start, count)
}
