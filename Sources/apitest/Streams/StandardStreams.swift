import Dispatch
import Glibc
import Synchronization

/// Standard output: results. Buffered, and flushed at the end and whenever there is much.
///
/// What is written while the program runs, another thread hands to the system: a reader who pauses, such as a pager, does not
/// keep tests waiting.
enum StandardOutput {
    private struct State {
        var bytes: [UInt8] = []
        /// Whether a thread is on its way to write them.
        var isDraining = false
        /// Whether they are written when a moment has passed.
        var isAwaited = false
    }

    /// So many bytes are worth a call to the system.
    private static let enough = 1 << 16
    /// The most bytes that wait for a reader; whoever writes more waits too.
    private static let most = 1 << 24

    private static let state = Mutex(State())
    /// Held while bytes are taken and written, so that they keep their order.
    private static let writing = Mutex(())
    private static let failure = Mutex<String?>(nil)

    /// Why something could not be written, such as a full disk; nil when all was, or when the reader had enough.
    static var problem: String? { failure.withLock { $0 } }

    /// The time that text waits for more where somebody may be reading along, such as in the log of a CI job.
    static let moment = DispatchTimeInterval.milliseconds(50)

    /// Appends text.
    ///
    /// - Parameter time: The time after which it is written even when there is little; nil to wait for more, or the end.
    static func write(_ text: String, within time: DispatchTimeInterval? = nil) {
        let (mustStart, mustWait, isFirst) = state.withLock { state in
            state.bytes.append(contentsOf: text.utf8)
            let mustStart = state.bytes.count >= enough && !state.isDraining
            if mustStart { state.isDraining = true }
            let isFirst = time != nil && !state.isAwaited
            if isFirst { state.isAwaited = true }
            return (mustStart, state.bytes.count > most, isFirst)
        }
        if let time, isFirst {
            DispatchQueue.global().asyncAfter(deadline: .now() + time) {
                state.withLock { $0.isAwaited = false }
                flush()
            }
        }
        if mustStart { DispatchQueue.global().async { drain(while: enough) } }
        if mustWait { flush() }
    }

    /// Writes what is buffered, and waits until it is written.
    static func flush() {
        drain(while: 1)
    }

    /// Writes what is buffered, as long as there are so many bytes.
    private static func drain(while count: Int) {
        writing.withLock { _ in
            while true {
                let bytes = state.withLock { state in
                    guard state.bytes.count >= count else {
                        state.isDraining = false
                        return [UInt8]()
                    }
                    defer { state.bytes = [] }
                    return state.bytes
                }
                if bytes.isEmpty { return }
                if let code = FileDescriptorWriter.writeAll(bytes, to: STDOUT_FILENO), code != EPIPE,
                    !(code == EIO && SignalWatcher.hasHungUp)
                {
                    failure.withLock { $0 = $0 ?? String(cString: strerror(code)) }
                }
            }
        }
    }
}

/// Standard error: progress and diagnostics. Not buffered.
enum StandardError {
    /// Writes text at once.
    static func write(_ text: String) {
        _ = FileDescriptorWriter.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }
}

/// Writes whole buffers to file descriptors.
enum FileDescriptorWriter {
    /// Writes all bytes.
    ///
    /// - Returns: the error number of what went wrong, or nil.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let result = write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                if result > 0 {
                    written += result
                } else if errno == EAGAIN {
                    // Somebody who shares the pipe, such as the program that reads it, has made it one that does not block.
                    var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&event, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }
}

/// Standard input, for commands that take a file from it.
enum StandardInput {
    /// The maximum number of bytes that are read.
    private static let maximumSize = 64 << 20

    /// All bytes up to the end, or nil when they cannot be read or are too many.
    static func readAll() -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { return nil }
            if bytes.count > maximumSize {
                errno = EFBIG
                return nil
            }
        }
    }
}

/// The descriptors of the standard streams.
enum StandardDescriptors {
    /// Gives those that are closed a meaning, so that no file or socket opened from now on gets their number and then
    /// what is written to the stream. Writing to a stream that was closed fails, and reading from it ends, as before.
    static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest number that is free is given, which is this one. What can only be read cannot be written to.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
