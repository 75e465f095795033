#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Read access to files, recorded by ``FileLedger``.
package enum File {
    /// The kind of a file, after following symbolic links.
    package enum Kind: Sendable {
        case file, directory, other
    }

    /// Returns the kind of the file at a path; nil if none exists.
    package static func kind(of path: String) -> Kind? {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        switch information.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        default: return .other
        }
    }

    /// Returns whether a path is a symbolic link, regardless of its target.
    package static func isLink(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFLNK
    }

    /// Returns a path with symbolic links and `..` resolved; nil if it does not exist.
    package static func realPath(_ path: String) -> String? {
        if let real = Path.real(path) { return real }
        FileLedger.note(path)
        return nil
    }

    /// Returns the sorted names in a directory; nil if it cannot be read.
    package static func names(inDirectory path: String) -> [String]? {
        guard let directory = opendir(path) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The error of a failed file operation.
    package struct Failure: Error, Sendable {
        /// The system's description of the error.
        package let reason: String
        /// Whether the file does not exist.
        package let isMissing: Bool

        /// Returns the error for a file that exceeds a size limit.
        static func tooLarge(_ limit: Int) -> Failure { Failure(reason: "it is larger than \(limit >> 20) MiB") }

        private init(reason: String) {
            self.reason = reason
            isMissing = false
        }

        /// Creates an error from an error number.
        package init(code: Int32) {
            reason = String(cString: strerror(code)).lowercased()
            isMissing = code == ENOENT
        }
    }

    /// Returns the error of opening a file for reading; nil if it can be opened.
    package static func failure(ofReading path: String) -> Failure? {
        FileLedger.note(path)
        return access(path, R_OK) == 0 ? nil : Failure(code: errno)
    }

    /// The maximum size of a regular file in bytes.
    private static let maximumFileSize = 512 << 20
    /// The maximum number of bytes read from a pipe or device, which may be endless.
    private static let maximumStreamSize = 64 << 20

    /// Returns the contents of a file or pipe.
    ///
    /// - Throws: ``Failure`` if the file cannot be read or is too large.
    package static func bytes(at path: String) throws(Failure) -> [UInt8] {
        FileLedger.note(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        var information = stat()
        let isKnown = fstat(descriptor, &information) == 0
        let size = isKnown ? max(0, Int(information.st_size)) : 0
        let limit = isKnown && information.st_mode & S_IFMT == S_IFREG ? maximumFileSize : maximumStreamSize
        if size > limit { throw .tooLarge(limit) }
        var code: Int32 = 0
        var isWhole = false
        // One byte more than the size, so that the end of the file is found without another buffer.
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
        // Read the rest of a file that has grown, or that does not report its size.
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
