import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The contents of a file, read piece by piece off the event loop.
final class FilePieces: Sendable {
    private static let length = 64 << 10

    private let path: String
    private let descriptor: CInt
    private let offset = Mutex(0)

    private init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    /// Opens a regular file.
    static func open(_ path: String) async throws(FileFailure) -> FilePieces {
        try await BlockingWork.run { () throws(FileFailure) in
            let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC, 0)
            guard descriptor >= 0 else { throw .last(path) }
            let file = FilePieces(path: path, descriptor: descriptor)
            switch FileSystemCalls.kind(path) {
            case .folder: throw FileFailure(path: path, number: EISDIR)
            case .file: return file
            case .nothing, .other: throw FileFailure(path: path, number: EINVAL)
            }
        }
    }

    /// The next piece, or nil at the end.
    func next() async throws(FileFailure) -> [UInt8]? {
        try await BlockingWork.run { [self] () throws(FileFailure) in
            let start = offset.withLock { $0 }
            var number: CInt = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, count in
                let result = pread(descriptor, buffer.baseAddress, Self.length, off_t(start))
                if result < 0 { number = errno }
                count = max(0, result)
            }
            guard number == 0 else { throw FileFailure(path: path, number: number) }
            offset.withLock { $0 = start + piece.count }
            return piece.isEmpty ? nil : piece
        }
    }
}
