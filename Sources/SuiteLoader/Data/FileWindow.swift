import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A sliding window over a file, which allows reading a file of any size with little memory.
struct FileWindow: ~Copyable {
    private static let chunk = 1 << 18

    private let descriptor: Int32
    /// The bytes in the window.
    private(set) var bytes: [UInt8] = []
    /// The offset of the window in the file.
    private(set) var base = 0
    /// Whether the window extends to the end of the file.
    private(set) var isAtEnd = false

    /// Creates a window over a file, which is opened.
    ///
    /// - Throws: A failure if the file cannot be opened.
    init(path: String) throws(File.Failure) {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        if opened < 0 { throw File.Failure(code: errno) }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// The current state of the file, for detecting changes.
    var stamp: FileStamp { FileStamp(of: descriptor) }

    /// Drops the bytes before an index and reads as many further bytes as remain in the window.
    ///
    /// Because the window doubles, a record that does not fit is scanned only a logarithmic number of times.
    ///
    /// - Throws: A failure if the file cannot be read.
    mutating func move(to index: Int) throws(File.Failure) {
        bytes.removeSubrange(0..<min(index, bytes.count))
        base += index
        let start = bytes.count
        let wanted = max(Self.chunk, start)
        bytes.append(contentsOf: repeatElement(0, count: wanted))
        var filled = 0
        var code: Int32 = 0
        bytes.withUnsafeMutableBytes { buffer in
            while filled < wanted {
                let count = read(descriptor, buffer.baseAddress.map { $0 + start + filled }, wanted - filled)
                if count > 0 {
                    filled += count
                } else if count == 0 || errno != EINTR {
                    code = count == 0 ? 0 : errno
                    return
                }
            }
        }
        bytes.removeLast(wanted - filled)
        if code != 0 { throw File.Failure(code: code) }
        if filled < wanted { isAtEnd = true }
    }
}

/// The state of a file, for detecting changes.
struct FileStamp: Sendable, Hashable {
    /// The size in bytes.
    var size: Int64
    /// The modification time, in nanoseconds since 1970-01-01T00:00:00Z.
    var modified: Int64

    /// Creates the current state of an open file.
    init(of descriptor: Int32) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            (size, modified) = (-1, 0)
            return
        }
        #if canImport(Darwin)
        let time = information.st_mtimespec
        #else
        let time = information.st_mtim
        #endif
        size = Int64(information.st_size)
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
