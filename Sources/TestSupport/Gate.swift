import Glibc

/// A gate at which the thread of a server waits until a test opens it.
public final class Gate: Sendable {
    let readEnd: CInt
    private let writeEnd: CInt

    /// Creates a closed gate.
    public init() {
        var ends: [CInt] = [-1, -1]
        _ = pipe(&ends)
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Blocks the calling thread until the gate is open.
    public func wait() {
        var polled = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        while poll(&polled, 1, -1) < 0, errno == EINTR {}
    }

    /// Opens the gate for all current and future waiters.
    public func open() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }
}
