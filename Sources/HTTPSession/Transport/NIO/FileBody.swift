import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is sent as a body, read off the event loop.
final class FileBody: Sendable {
    let path: String
    let length: Int
    private let descriptor: CInt
    private let eventLoop: any EventLoop

    private init(path: String, length: Int, descriptor: CInt, eventLoop: any EventLoop) {
        self.path = path
        self.length = length
        self.descriptor = descriptor
        self.eventLoop = eventLoop
    }

    deinit {
        _ = close(descriptor)
    }

    /// Opens a regular file for reading.
    static func open(path: String, eventLoop: any EventLoop) -> EventLoopFuture<FileBody> {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
            let descriptor = systemOpen(path)
            guard descriptor >= 0 else { throw FileError(number: errno) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                let number = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
                _ = close(descriptor)
                throw FileError(number: number)
            }
            return FileBody(path: path, length: Int(status.st_size), descriptor: descriptor, eventLoop: eventLoop)
        }
    }

    /// Reads up to `count` bytes; none at the end of the file.
    func read(offset: Int, count: Int) -> EventLoopFuture<ByteBuffer> {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { [self] in
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            var number: CInt = 0
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                let result = pread(descriptor, bytes.baseAddress, min(count, bytes.count), off_t(offset))
                if result < 0 { number = errno }
                return max(0, result)
            }
            guard number == 0 else { throw FileError(number: number) }
            return buffer
        }
    }

    /// An error of the operating system, described by its own words.
    struct FileError: Error, CustomStringConvertible {
        var number: CInt
        var description: String { String(cString: strerror(number)) }
    }
}

/// Without waiting, as a pipe would not open before somebody writes into it.
private func systemOpen(_ path: String) -> CInt { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
