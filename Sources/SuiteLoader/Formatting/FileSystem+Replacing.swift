import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension FileSystem {
    /// Replaces the contents of a file in one step, so that no reader and no crash meets half of them.
    ///
    /// - Parameters:
    ///   - path: The file, not a symbolic link.
    ///   - bytes: The new contents; the file's mode stays.
    ///   - expected: What the file holds; with anything else it is left as it is.
    static func replace(
        _ path: String, with bytes: [UInt8], expecting expected: [UInt8]
    ) throws(FileWriteFailure) {
        var information = stat()
        guard lstat(path, &information) == 0 else { throw failure() }
        guard information.st_mode & S_IFMT == S_IFREG else { throw FileWriteFailure(reason: "it is no regular file") }
        guard access(path, W_OK) == 0 else { throw failure() }
        var template = Array((Path.parent(of: path) + "/.apitest-fmt-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure() }
        let temporary = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        var isOpen = true
        do throws(FileWriteFailure) {
            try write(bytes, to: descriptor)
            guard fchmod(descriptor, information.st_mode & 0o7777) == 0 else { throw failure() }
            guard fsync(descriptor) == 0 else { throw failure() }
            isOpen = false
            guard close(descriptor) == 0 else { throw failure() }
            guard (try? self.bytes(ofFile: path)) == expected else {
                throw FileWriteFailure(reason: "it was changed meanwhile")
            }
            guard rename(temporary, path) == 0 else { throw failure() }
        } catch {
            if isOpen { close(descriptor) }
            unlink(temporary)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileWriteFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Int(systemWrite(descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written))
            }
            if count > 0 { written += count } else if errno != EINTR { throw failure() }
        }
    }

    private static func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, start, count)
        #elseif canImport(Musl)
        Musl.write(descriptor, start, count)
        #else
        Darwin.write(descriptor, start, count)
        #endif
    }

    /// The failure of the call before.
    private static func failure() -> FileWriteFailure {
        FileWriteFailure(reason: Failure(code: errno).reason)
    }
}
