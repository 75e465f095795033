import Basics
import Glibc
import RunModel

/// The pipes between this process and the standard streams of a program.
struct CommandStreams {
    /// The descriptors of a program's standard streams, which the caller keeps open until the program has started.
    let child: ChildProcess.Streams
    /// This end of each pipe, or -1 after it was closed.
    private var input: Int32
    private var output: Int32
    private var errors: Int32
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// The maximum number of reads from a stream before the other stream gets its turn.
    private static let maximumReads = 16

    /// Opens the pipes.
    ///
    /// - Parameter hasInput: Whether there is something to write to the standard input, which is otherwise empty.
    /// - Throws: ``ServeError`` if the system cannot open more files.
    init(hasInput: Bool) throws(ServeError) {
        var opened: [Int32] = []
        func fail() -> ServeError {
            let reason = String(cString: strerror(errno))
            for file in opened { _ = Glibc.close(file) }
            return ServeError(kind: .serveCommand, message: "cannot create a pipe: \(reason)")
        }
        func pipe() -> (read: Int32, write: Int32)? {
            var ends: [Int32] = [-1, -1]
            guard Glibc.pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            opened += ends
            return (ends[0], ends[1])
        }
        let childInput: Int32
        if hasInput {
            guard let ends = pipe() else { throw fail() }
            childInput = ends.read
            input = ends.write
        } else {
            childInput = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard childInput >= 0 else { throw fail() }
            opened.append(childInput)
            input = -1
        }
        guard let output = pipe(), let errors = pipe() else { throw fail() }
        self.output = output.read
        self.errors = errors.read
        child = ChildProcess.Streams(input: childInput, output: output.write, errors: errors.write)
        for file in [input, self.output, self.errors] where file >= 0 {
            _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
        }
        areChildEndsOpen = true
    }

    private var areChildEndsOpen: Bool

    /// Whether the program, and every process that inherited them, has closed both output streams.
    var isOutputClosed: Bool { output < 0 && errors < 0 }

    /// Closes the program's ends, so that reading ends when the program closes its own.
    mutating func closeChildEnds() {
        guard areChildEndsOpen else { return }
        areChildEndsOpen = false
        for file in [child.input, child.output, child.errors] { _ = Glibc.close(file) }
    }

    /// Closes all pipes.
    mutating func close() {
        closeChildEnds()
        Self.close(&input)
        Self.close(&output)
        Self.close(&errors)
    }

    /// Waits until a stream is ready.
    ///
    /// - Parameter milliseconds: The maximum time to wait.
    func wait(milliseconds: Int32) {
        // A negative descriptor is ignored.
        var events = [
            pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&events, nfds_t(events.count), milliseconds)
    }

    /// Writes as much input as the pipe takes, and closes it after the last byte.
    ///
    /// - Parameters:
    ///   - bytes: The whole input.
    ///   - start: The number of bytes that were written before.
    /// - Returns: The number of bytes that are written now.
    mutating func write(_ bytes: [UInt8], from start: Int) -> Int {
        guard input >= 0 else { return start }
        let file = input
        let count = bytes[start...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        // A program that does not read its input closes the pipe.
        if count < 0, errno != EAGAIN, errno != EINTR { Self.close(&input) }
        let end = start + max(0, count)
        if end == bytes.count { Self.close(&input) }
        return end
    }

    /// Reads the available output.
    mutating func read(into output: inout CommandOutput, and errors: inout CommandOutput) {
        Self.read(&self.output, &buffer, into: &output)
        Self.read(&self.errors, &buffer, into: &errors)
    }

    private static func read(_ file: inout Int32, _ buffer: inout [UInt8], into output: inout CommandOutput) {
        for _ in 0..<maximumReads where file >= 0 {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count > 0 {
                output.append(buffer[..<count])
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                close(&file)
            } else if errno == EAGAIN {
                return
            }
        }
    }

    private static func close(_ file: inout Int32) {
        if file >= 0 { _ = Glibc.close(file) }
        file = -1
    }
}
