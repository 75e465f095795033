#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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
