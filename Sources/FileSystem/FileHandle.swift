#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Darwin)
package import Darwin
#endif

/// An open file that is closed when the handle is destroyed.
package struct FileHandle: ~Copyable, Sendable {
    /// A failed system call, identified by its `errno`.
    package struct Failure: Error {
        /// The value of `errno`.
        package let number: Int32

        /// Creates a failure from a value of `errno`.
        package init(number: Int32) {
            self.number = number
        }
    }

    private let descriptor: Int32

    /// Opens a file.
    ///
    /// For the path of a standard stream, the descriptor of the process is duplicated, and `flags` is ignored.
    package init(path: String, flags: Int32, mode: mode_t = 0o666) throws(Failure) {
        var result: Int32
        let standard = Self.standardDescriptor(of: path)
        repeat {
            result = standard.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } ?? open(path, flags | O_CLOEXEC, mode)
        } while result < 0 && errno == EINTR
        if result < 0 { throw Failure(number: errno) }
        descriptor = result
    }

    /// Opens a file in an open directory.
    package init(named name: String, in directory: Int32, flags: Int32, mode: mode_t = 0o666) throws(Failure) {
        var result: Int32
        repeat { result = openat(directory, name, flags | O_CLOEXEC, mode) } while result < 0 && errno == EINTR
        if result < 0 { throw Failure(number: errno) }
        descriptor = result
    }

    /// Opens an unnamed file in a directory, which disappears when it is closed or the process is killed.
    ///
    /// - Parameter mode: The permissions of the file if it gets a name.
    /// - Throws: ``Failure`` if the file system does not support unnamed files, or the directory is not writable.
    package init(unnamedIn directory: String, mode: mode_t = 0o666) throws(Failure) {
        #if os(Linux)
        // O_TMPFILE of open(2), a macro that Swift cannot import.
        try self.init(path: directory, flags: O_RDWR | 0o20000000 | O_DIRECTORY, mode: mode)
        #else
        throw Failure(number: ENOTSUP)
        #endif
    }

    /// Opens a temporary file without a name, which disappears when it is closed or the process is killed.
    ///
    /// The file is in the directory that `TMPDIR` names, or else in `/var/tmp`, because `/tmp` may be in memory.
    package static func temporary() throws(Failure) -> FileHandle {
        let directory = temporaryDirectory
        // Other users may read the directory.
        if let file = try? FileHandle(unnamedIn: directory, mode: 0o600) { return file }
        let path = "\(directory)/apitest.\(getpid()).\(UInt32.random(in: 0...(.max))).tmp"
        let file = try FileHandle(path: path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        unlink(path)
        return file
    }

    /// The directory of temporary files.
    package static var temporaryDirectory: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return [named, "/var/tmp"].first { !$0.isEmpty && access($0, W_OK | X_OK) == 0 } ?? "/tmp"
    }

    deinit { close(descriptor) }

    /// Returns the descriptor of the standard stream that a path names, or `nil` for any other path.
    ///
    /// Opening such a path by name fails for a socket or another user's pipe. For a regular file, it creates a separate
    /// file offset, and writers that share the file then overwrite each other's output.
    package static func standardDescriptor(of path: String) -> Int32? {
        switch path {
        case standardInput: STDIN_FILENO
        case standardOutput: STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        default: nil
        }
    }

    /// Whether the file is a regular file, which has an end.
    package var isRegular: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the size of the file in bytes.
    package borrowing func size() throws(Failure) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(number: errno) }
        return Int(status.st_size)
    }

    /// The path that `-` stands for as an input.
    package static let standardInput = "/dev/stdin"
    /// The path that `-` stands for as an output.
    package static let standardOutput = "/dev/stdout"

    /// Writes all bytes.
    package borrowing func write(_ bytes: [UInt8]) throws(Failure) {
        let failure = bytes.withUnsafeBytes { failureOfWriting($0) }
        if let failure { throw Failure(number: failure) }
    }

    /// Writes all bytes and returns the `errno` of a failure, or `nil` on success.
    package borrowing func failureOfWriting(_ bytes: UnsafeRawBufferPointer) -> Int32? {
        var written = 0
        while written < bytes.count, let base = bytes.baseAddress {
            let result = systemWrite(base + written, bytes.count - written)
            if result > 0 {
                written += result
            } else if result == 0 {
                return ENOSPC
            } else if errno != EINTR, !canGoOn(descriptor, when: Int16(POLLOUT)) {
                return errno
            }
        }
        return nil
    }

    /// Reads a range of bytes.
    package borrowing func read(_ range: Range<Int>) throws(Failure) -> [UInt8] {
        var failure: Int32?
        let descriptor = descriptor
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count, let base = buffer.baseAddress {
                let result = pread(descriptor, base + count, range.count - count, off_t(range.lowerBound + count))
                if result > 0 {
                    count += result
                } else if result == 0 {
                    failure = EIO
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        if let failure { throw Failure(number: failure) }
        return bytes
    }

    /// Appends a range of bytes to another file within the kernel, as far as the system supports it.
    ///
    /// - Returns: The number of bytes copied. The caller must read and write the remaining ones.
    package borrowing func copy(_ range: Range<Int>, to output: borrowing FileHandle) -> Int {
        #if canImport(Glibc)
        var offset = off_t(range.lowerBound)
        while offset < range.upperBound {
            let count = sendfile(output.descriptor, descriptor, &offset, range.upperBound - Int(offset))
            if count > 0 || (count < 0 && errno == EINTR) { continue }
            break
        }
        return Int(offset) - range.lowerBound
        #else
        return 0
        #endif
    }

    /// Links a file that was opened without a name to a path.
    ///
    /// - Returns: Whether the system supports this operation and it succeeded.
    package borrowing func link(as path: String) -> Bool {
        #if os(Linux)
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
        #else
        false
        #endif
    }

    /// The maximum size of a file that is read at once.
    private static let maximumSize = 512 << 20

    /// Returns the contents of a file or pipe.
    package static func bytes(ofFile path: String) throws(Failure) -> [UInt8] {
        let file = try FileHandle(path: path, flags: O_RDONLY)
        return try file.readToEnd()
    }

    /// Reads the next chunk of bytes, which is empty at the end of the file.
    package borrowing func readSome() throws(Failure) -> [UInt8] {
        var failure: Int32?
        let descriptor = descriptor
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
            var result = -1
            repeat {
                result = systemRead(descriptor, buffer)
            } while result < 0 && (errno == EINTR || canGoOn(descriptor, when: Int16(POLLIN)))
            if result >= 0 { count = result } else { failure = errno }
        }
        if let failure { throw Failure(number: failure) }
        return bytes
    }

    /// Reads the next chunk of bytes at an offset of a regular file, which is empty at the end of the file.
    package borrowing func readSome(at offset: Int) throws(Failure) -> [UInt8] {
        try read(offset..<min(max(offset, try size()), offset + 1 << 18))
    }

    private borrowing func readToEnd() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var failure: Int32?
        let descriptor = descriptor
        while failure == nil {
            var isAtEnd = false
            bytes += [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
                let result = systemRead(descriptor, buffer)
                if result > 0 {
                    count = result
                } else if result == 0 {
                    isAtEnd = true
                } else if errno != EINTR, !canGoOn(descriptor, when: Int16(POLLIN)) {
                    failure = errno
                }
            }
            if isAtEnd { return bytes }
            if bytes.count > Self.maximumSize { failure = EFBIG }
        }
        throw Failure(number: failure ?? EIO)
    }

    private borrowing func systemWrite(_ pointer: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, pointer, count)
        #elseif canImport(Musl)
        Musl.write(descriptor, pointer, count)
        #else
        Darwin.write(descriptor, pointer, count)
        #endif
    }
}

/// An open file that several owners share, and which is closed when the last one releases it.
package final class SharedFile: Sendable {
    /// The open file.
    package let handle: FileHandle

    /// Creates a file that can be shared.
    package init(_ handle: consuming FileHandle) {
        self.handle = handle
    }

    /// Opens a temporary file without a name.
    package static func temporary() throws(FileHandle.Failure) -> SharedFile {
        SharedFile(try FileHandle.temporary())
    }
}

/// Waits for a nonblocking descriptor if the last call failed with `EAGAIN`.
///
/// Another program may have set a standard stream to nonblocking.
///
/// - Returns: Whether the call can be retried. Otherwise, `errno` is unchanged.
private func canGoOn(_ descriptor: Int32, when events: Int16) -> Bool {
    guard errno == EAGAIN else { return false }
    var polled = pollfd(fd: descriptor, events: events, revents: 0)
    while poll(&polled, 1, -1) < 0, errno == EINTR {}
    return true
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

/// Information about the host system for reports.
public enum SystemInfo {
    /// The host name, or `localhost` if the host has none.
    public static var hostName: String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let result = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in name.baseAddress.map { gethostname($0, 255) } ?? -1 }
        }
        let name = buffer.prefix { $0 != 0 }
        return result != 0 || name.isEmpty ? "localhost" : String(decoding: name, as: UTF8.self)
    }

    /// The absolute path of the working directory.
    public static var workingDirectory: String { Path.workingDirectory }

    /// Returns the nanoseconds since boot, for measuring elapsed time.
    ///
    /// Reporters read it for every test.
    @Sendable package static func uptime() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
        clock_gettime(CLOCK_MONOTONIC, &time)
        #else
        clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Returns the system's description of an error number.
    package static func message(of error: Int32) -> String {
        strerror(error).map { String(cString: $0) } ?? "error \(error)"
    }
}
