#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Files as they are read; ``FileLedger`` is told of each.
package enum File {
    /// What is found at a path, symbolic links followed.
    package enum Kind: Sendable {
        case file, folder, other
    }

    /// What is at a path, or nil when there is nothing.
    package static func kind(of path: String) -> Kind? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        switch information.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Whether a symbolic link is at the path, whatever it leads to.
    package static func isLink(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFLNK
    }

    /// The path with symbolic links and `..` resolved, or nil when there is nothing at it.
    package static func realPath(_ path: String) -> String? {
        if let real = Path.real(path) { return real }
        FileLedger.note(path)
        return nil
    }

    /// The names in a folder, sorted, or nil when it cannot be read.
    package static func names(inFolder path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Why something cannot be done with a file.
    package struct Failure: Error, Sendable {
        /// The system's words for it.
        package let reason: String

        /// The failure of a file that is larger than may be read.
        static func tooLarge(_ limit: Int) -> Failure { Failure(reason: "it has more than \(limit >> 20) MiB") }

        private init(reason: String) {
            self.reason = reason
        }

        /// Creates the failure of the call before.
        package init(code: Int32) {
            reason = String(cString: strerror(code)).lowercased()
        }
    }

    /// Why a file cannot be opened for reading, or nil when it can.
    package static func failure(ofReading path: String) -> Failure? {
        FileLedger.note(path)
        return access(path, R_OK) == 0 ? nil : Failure(code: errno)
    }

    /// The maximum size of a regular file that is read, in bytes.
    private static let largestFile = 512 << 20
    /// The maximum number of bytes that are read of a pipe or device, which need not have an end.
    private static let longestStream = 64 << 20

    /// The bytes of a file, which may be a pipe.
    ///
    /// - Throws: ``Failure`` when it cannot be read or is too large.
    package static func bytes(at path: String) throws(Failure) -> [UInt8] {
        FileLedger.note(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        var information = stat()
        let isKnown = fstat(descriptor, &information) == 0
        let size = isKnown ? max(0, Int(information.st_size)) : 0
        let limit = isKnown && information.st_mode & S_IFMT == S_IFREG ? largestFile : longestStream
        if size > limit { throw .tooLarge(limit) }
        var code: Int32 = 0
        var isWhole = false
        // A byte more than the file has, so that its end is found without another buffer.
        var bytes = [UInt8](unsafeUninitializedCapacity: max(size + 1, 4096)) { buffer, count in
            while count < buffer.count, !isWhole {
                let start = count
                let result = read(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
                if result > 0 {
                    count += result
                } else if result == 0 {
                    isWhole = true
                } else if errno != EINTR {
                    code = errno
                    isWhole = true
                }
            }
        }
        // What has grown meanwhile, and what does not tell its size.
        while !isWhole {
            if bytes.count > limit { throw .tooLarge(limit) }
            bytes += [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
                let result = read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0, errno != EINTR { code = errno }
                isWhole = result == 0 || code != 0
                count = max(result, 0)
            }
        }
        if code != 0 { throw Failure(code: code) }
        return bytes
    }
}
