import Diagnostics
import Dispatch
import Glibc
import RunModel
import Runner
import Synchronization

/// Buffered standard output for results, flushed at exit and when the buffer is large.
///
/// During a run, another thread writes the buffer, so that a paused reader, such as a pager, does not block tests.
enum StandardOutput {
    private struct State {
        var bytes: [UInt8] = []
        /// Whether a thread is about to write the bytes.
        var isDraining = false
        /// Whether a delayed flush is scheduled.
        var isAwaited = false
    }

    /// The number of buffered bytes that justifies a system call.
    private static let enough = 1 << 16
    /// The maximum number of buffered bytes.
    ///
    /// A writer that exceeds it waits for the reader.
    private static let maximum = 1 << 24

    private static let state = Mutex(State())
    /// A lock that is held while bytes are taken and written, which preserves their order.
    private static let writing = Mutex(())
    private static let failure = Mutex<String?>(nil)

    /// The reason for a failed write, such as a full disk, or `nil` if there was none or the reader closed the pipe.
    static var problem: String? { failure.withLock { $0 } }

    /// The delay of text that someone may be reading live, such as in the log of a CI job.
    static let moment = DispatchTimeInterval.milliseconds(50)

    /// Appends text.
    ///
    /// - Parameter time: The maximum delay before it is written, or `nil` to wait for more text or the exit.
    static func write(_ text: String, within time: DispatchTimeInterval? = nil) {
        let (mustStart, mustWait, isFirst) = state.withLock { state in
            state.bytes.append(contentsOf: text.utf8)
            let mustStart = state.bytes.count >= enough && !state.isDraining
            if mustStart { state.isDraining = true }
            let isFirst = time != nil && !state.isAwaited
            if isFirst { state.isAwaited = true }
            return (mustStart, state.bytes.count > maximum, isFirst)
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

    /// Writes the buffered text and waits until it is written.
    static func flush() {
        drain(while: 1)
    }

    /// Writes the buffered text as long as it has a minimum number of bytes.
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

/// Unbuffered standard error for progress and diagnostics.
enum StandardError {
    /// Writes text without buffering.
    static func write(_ text: String) {
        _ = FileDescriptorWriter.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Writes a warning about a run that belongs to no report, followed by its id.
    static func warn(_ id: NoticeID, _ message: String) {
        write("warning: \(message) [\(id.rawValue)]\n")
    }

    /// Writes the message of an error without a location in a file, followed by its id.
    static func report(_ id: ProblemID, _ message: String) {
        write("apitest: \(message) [\(id.rawValue)]\n")
    }
}

/// A writer of whole buffers to file descriptors.
enum FileDescriptorWriter {
    /// Writes all bytes.
    ///
    /// - Returns: The `errno` of a failure, or `nil` on success.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let result = write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                if result > 0 {
                    written += result
                } else if errno == EAGAIN {
                    // Another process that shares the pipe, such as its reader, has made it nonblocking.
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

/// Standard input, for commands that read a file from it.
enum StandardInput {
    /// The maximum number of bytes to read.
    private static let maximumSize = 64 << 20

    /// Returns all bytes up to the end, or `nil` if they cannot be read or are too many.
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

    /// Returns the lines up to the end, without their line breaks and without empty ones.
    ///
    /// A thread of its own reads them. A line that exceeds the maximum size ends the sequence.
    static func lines() -> AsyncStream<[UInt8]> {
        let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
        let isStarted = DetachedThread.start {
            var rest: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while rest.count <= maximumSize {
                let count = read(STDIN_FILENO, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { break }
                for part in chunk[..<count].split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                    if part.offset > 0 {
                        if !rest.isEmpty { continuation.yield(rest) }
                        rest = []
                    }
                    rest += part.element
                }
            }
            if !rest.isEmpty { continuation.yield(rest) }
            continuation.finish()
        }
        if !isStarted { continuation.finish() }
        return lines
    }
}

/// The descriptors of the standard streams.
enum StandardDescriptors {
    /// Opens closed standard descriptors, so that no file opened later receives the output of a stream.
    ///
    /// As before, writing to a closed stream fails, and reading from it returns the end of the file.
    static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free descriptor is this one. A read-only descriptor makes writes fail.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
