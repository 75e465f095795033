import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is a part of a form, read off the event loops.
final class MultipartFile: Sendable {
    private let path: String
    private let length: Int
    private let descriptor: CInt

    private init(path: String, length: Int, descriptor: CInt) {
        self.path = path
        self.length = length
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    private static func words(_ path: String, _ number: CInt) -> String {
        "the form's file \(path) cannot be read: \(String(cString: strerror(number)))"
    }

    private static func refusal(_ path: String, _ number: CInt) -> SessionError {
        MultipartFormData.failure(.unreadableBody, words(path, number))
    }

    private static func failure(_ path: String, _ number: CInt) -> MultipartError {
        MultipartError(message: words(path, number))
    }

    /// The number of bytes in a regular file.
    static func size(of path: String) throws(SessionError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw refusal(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw refusal(path, status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        guard access(path, R_OK) == 0 else { throw refusal(path, errno) }
        return Int(status.st_size)
    }

    /// Opens a file that had so many bytes.
    static func open(_ path: String, length: Int) async throws -> MultipartFile {
        try await NIOThreadPool.singleton.runIfActive {
            let descriptor = systemOpen(path)
            guard descriptor >= 0 else { throw failure(path, errno) }
            let file = MultipartFile(path: path, length: length, descriptor: descriptor)
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
            guard Int(status.st_size) == length else { throw file.changed() }
            return file
        }
    }

    /// Reads up to `count` bytes, or nil at the end.
    func read(at offset: Int, count: Int) async throws -> [UInt8]? {
        try await NIOThreadPool.singleton.runIfActive { [self] in
            // At the end one byte more is asked for: the file may have grown.
            let wanted = offset < length ? min(count, length - offset) : 1
            var number: CInt = 0
            let piece = [UInt8](unsafeUninitializedCapacity: wanted) { bytes, read in
                var result = pread(descriptor, bytes.baseAddress, wanted, off_t(offset))
                while result < 0, errno == EINTR {
                    result = pread(descriptor, bytes.baseAddress, wanted, off_t(offset))
                }
                if result < 0 { number = errno }
                read = max(0, result)
            }
            guard number == 0 else { throw Self.failure(path, number) }
            guard piece.isEmpty == (offset >= length) else { throw changed() }
            return piece.isEmpty ? nil : piece
        }
    }

    private func changed() -> MultipartError {
        MultipartError(
            message: "the form's file \(path) changed its size while it was sent; it had \(length) bytes")
    }
}

private func systemOpen(_ path: String) -> CInt { open(path, O_RDONLY | O_CLOEXEC) }
