import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A regular file that can be read at any offset; its calls can block.
final class ReadableFile: Sendable {
    let path: String
    /// The number of bytes when the file was opened.
    let length: Int
    private let descriptor: CInt

    private init(path: String, length: Int, descriptor: CInt) {
        self.path = path
        self.length = length
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    /// Opens a regular file.
    static func open(_ path: String) throws(FileFailure) -> ReadableFile {
        // Opened without blocking, because a pipe would not open until a writer opens it.
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
        guard descriptor >= 0 else { throw .last(path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            _ = close(descriptor)
            throw FileFailure(path: path, number: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        return ReadableFile(path: path, length: Int(status.st_size), descriptor: descriptor)
    }

    /// Fills a buffer with the bytes at an offset and returns their number, which is zero at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last(path) }
        }
    }

    /// Returns up to `count` bytes at an offset, or none at the end of the file.
    func bytes(_ count: Int, at offset: Int) throws(FileFailure) -> [UInt8] {
        var failure: FileFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileFailure) {
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// The contents of a file, read piece by piece outside of the event loops.
final class FilePieces: Sendable {
    private static let length = 64 << 10

    private let file: ReadableFile
    private let offset = Mutex(0)

    private init(_ file: ReadableFile) {
        self.file = file
    }

    /// Opens a regular file.
    static func open(_ path: String) async throws(FileFailure) -> FilePieces {
        try await BlockingWork.run { () throws(FileFailure) in FilePieces(try ReadableFile.open(path)) }
    }

    /// Returns the next piece, or nil at the end.
    func next() async throws(FileFailure) -> [UInt8]? {
        try await BlockingWork.run { [self] () throws(FileFailure) in
            let start = offset.withLock { $0 }
            let piece = try file.bytes(Self.length, at: start)
            offset.withLock { $0 = start + piece.count }
            return piece.isEmpty ? nil : piece
        }
    }
}
