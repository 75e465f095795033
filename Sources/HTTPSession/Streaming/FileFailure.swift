#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Why the operating system has refused something about a file.
struct FileFailure: Error {
    /// The file.
    var path: String
    /// The number of the error.
    var number: CInt
    /// The reason in words; the operating system's, if not given.
    var message: String

    init(path: String, number: CInt, message: String? = nil) {
        self.path = path
        self.number = number
        self.message = message ?? String(cString: strerror(number))
    }

    /// The failure of the last call.
    static func last(_ path: String) -> FileFailure { FileFailure(path: path, number: errno) }
}
