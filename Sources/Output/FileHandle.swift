import FileSystem

#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Darwin)
package import Darwin
#endif

/// An open file, closed at the end of its life.
package struct FileHandle: ~Copyable {
    /// An error number of the system.
    package struct Failure: Error {
        package let number: Int32

        package init(number: Int32) {
            self.number = number
        }
    }

    private let descriptor: Int32

    /// Opens a file; for a standard stream, the one that the program has, whatever the flags.
    package init(path: String, flags: Int32, mode: mode_t = 0o666) throws(Failure) {
        var result: Int32
        let standard = Self.standardDescriptor(of: path)
        repeat {
            result = standard.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } ?? open(path, flags | O_CLOEXEC, mode)
        } while result < 0 && errno == EINTR
        if result < 0 { throw Failure(number: errno) }
        descriptor = result
    }

    /// Opens a file in an open folder.
    package init(named name: String, in folder: Int32, flags: Int32, mode: mode_t = 0o666) throws(Failure) {
        var result: Int32
        repeat { result = openat(folder, name, flags | O_CLOEXEC, mode) } while result < 0 && errno == EINTR
        if result < 0 { throw Failure(number: errno) }
        descriptor = result
    }

    deinit { close(descriptor) }

    /// The descriptor of the standard stream that a path names; nil for every other path.
    ///
    /// Opened by its name, a socket or another user's pipe is refused, and a file has a place of its own for what is
    /// written, so that the program and those beside it write over each other.
    static func standardDescriptor(of path: String) -> Int32? {
        switch path {
        case standardInput: STDIN_FILENO
        case standardOutput: STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        default: nil
        }
    }

    /// Whether it is a regular file, which has an end.
    package var isRegular: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The paths that `-` stands for.
    package static let standardInput = "/dev/stdin"
    package static let standardOutput = "/dev/stdout"

    /// Writes all bytes.
    package borrowing func write(_ bytes: [UInt8]) throws(Failure) {
        let failure = bytes.withUnsafeBytes { failureOfWriting($0) }
        if let failure { throw Failure(number: failure) }
    }

    /// Writes bytes.
    ///
    /// - Parameter count: How many of them, from the first on; nil for all.
    package borrowing func write(_ bytes: borrowing ByteBuffer, count: Int? = nil) throws(Failure) {
        let count = max(0, min(bytes.count, count ?? .max))
        let failure = bytes.withUnsafeBytes { failureOfWriting(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        if let failure { throw Failure(number: failure) }
    }

    /// Writes all bytes, and says what went wrong.
    private borrowing func failureOfWriting(_ bytes: UnsafeRawBufferPointer) -> Int32? {
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

    /// Reads bytes from an offset.
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

    /// Copies bytes to the end of another file without reading them, as far as the system can.
    ///
    /// - Returns: The number of bytes that were copied; the others are to be read and written.
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

    /// Gives a name to a file that was opened without one.
    ///
    /// - Returns: Whether the system could do that.
    package borrowing func link(as path: String) -> Bool {
        #if os(Linux)
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
        #else
        false
        #endif
    }

    /// The maximum number of bytes that are read at once.
    private static let maximumSize = 512 << 20

    /// The bytes of a whole file, which may be a pipe.
    package static func bytes(ofFile path: String) throws(Failure) -> [UInt8] {
        let file = try FileHandle(path: path, flags: O_RDONLY)
        return try file.readToEnd()
    }

    /// Reads the next bytes; none at the end of the file.
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

/// Waits, when the last call failed as the descriptor does not block, as another program may have set a standard stream.
///
/// - Returns: Whether that was why; otherwise `errno` is as it was.
private func canGoOn(_ descriptor: Int32, when events: Int16) -> Bool {
    guard errno == EAGAIN else { return false }
    var polled = pollfd(fd: descriptor, events: events, revents: 0)
    while poll(&polled, 1, -1) < 0, errno == EINTR {}
    return true
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

/// What reports say of the system they were made on.
public enum SystemFacts {
    /// The host's name; `localhost` when it has none.
    public static var hostName: String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let result = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in name.baseAddress.map { gethostname($0, 255) } ?? -1 }
        }
        let name = buffer.prefix { $0 != 0 }
        return result != 0 || name.isEmpty ? "localhost" : String(decoding: name, as: UTF8.self)
    }

    /// The absolute path of the working folder.
    public static var workingFolder: String { Path.workingDirectory }

    /// Nanoseconds since the system was started, for distances in time: read for each test.
    @Sendable package static func uptime() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
        clock_gettime(CLOCK_MONOTONIC, &time)
        #else
        clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// What an error number means.
    package static func message(of error: Int32) -> String {
        strerror(error).map { String(cString: $0) } ?? "error \(error)"
    }
}
