#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A directory with files that exists during a test.
enum TemporaryDirectory {
    /// A failure to create the directory.
    struct Failure: Error {}

    /// Creates a directory with files, calls `body` with its path, and removes it.
    static func with(_ files: [String: String], _ body: (String) throws -> Void) throws {
        var template = Array("/tmp/mock-tests-XXXXXX".utf8CString)
        guard let made = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) else {
            throw Failure()
        }
        let directory = String(cString: made)
        defer {
            for name in files.keys { unlink("\(directory)/\(name)") }
            rmdir(directory)
        }
        for (name, text) in files {
            guard let file = fopen("\(directory)/\(name)", "w") else { throw Failure() }
            fputs(text, file)
            fclose(file)
        }
        try body(directory)
    }
}
