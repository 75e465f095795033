import Glibc

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
