#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A report that is written as it is made, to what is no regular file: a pipe, a terminal, a device.
struct ReportStream: ~Copyable {
    /// The path as it was given.
    let path: String
    private var output: FileHandle?

    /// Creates a stream; it is opened when something is written, for a pipe without a reader makes its writer wait.
    init(path: String) {
        self.path = path
    }

    /// Writes all bytes at once.
    mutating func write(_ bytes: borrowing ByteBuffer) throws(ReportError) {
        do throws(FileHandle.Failure) {
            // Appended, for a stream may be a file that others write to.
            if output == nil { output = try FileHandle(path: path, flags: O_WRONLY | O_APPEND) }
            switch output {
            case .none: break
            case .some(let file): try file.write(bytes)
            }
        } catch {
            throw ReportError(
                path: path, message: "cannot write the report \(path): \(SystemFacts.message(of: error.number))")
        }
    }
}
