import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A part of a file that moves along it, so that a file of any size is read in little memory.
struct FileWindow: ~Copyable {
    private static let chunk = 1 << 18

    private let descriptor: Int32
    /// The bytes of the part.
    private(set) var bytes: [UInt8] = []
    /// The offset in the file of the part's first byte.
    private(set) var base = 0
    /// Whether the part reaches the end of the file.
    private(set) var isAtEnd = false

    /// Opens a file.
    ///
    /// - Throws: Why it cannot be opened.
    init(path: String) throws(File.Failure) {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        if opened < 0 { throw File.Failure(code: errno) }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// What tells the file's present state from another.
    var stamp: FileStamp { FileStamp(of: descriptor) }

    /// Drops the bytes before an index and reads further ones: as many as there are, so that what does not end in the
    /// window is looked at again only as often as the window doubles.
    ///
    /// - Throws: Why the file cannot be read.
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

/// What tells one state of a file from another.
struct FileStamp: Sendable, Hashable {
    /// The bytes of the file.
    var size: Int64
    /// When it was last written: nanoseconds since 1970-01-01T00:00:00Z.
    var modified: Int64

    /// The present state of an open file.
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
