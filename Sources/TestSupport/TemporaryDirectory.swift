import Glibc

/// A temporary directory that is deleted with its contents when this object is destroyed.
public final class TemporaryDirectory {
    /// The path of the directory.
    public let path: String

    /// Creates a directory.
    public init() throws {
        var template = Array("/tmp/reports-tests-XXXXXX".utf8) + [0]
        let isMade = template.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        }
        guard isMade else { throw ReadFailure(path: "/tmp", number: errno) }
        path = String(decoding: template.dropLast(), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// A failure to read or write a file or directory.
    public struct ReadFailure: Error {
        /// The path.
        public let path: String
        /// The value of `errno`.
        public let number: Int32
    }

    /// Returns the sorted names of the entries in a directory.
    public static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the contents of a file.
    public static func read(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw ReadFailure(path: path, number: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Writes a file.
    public static func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { throw ReadFailure(path: path, number: errno) }
        defer { close(file) }
        _ = Glibc.write(file, bytes, bytes.count)
    }

    private static func remove(_ path: String) {
        for name in names(in: path) { remove(path + "/" + name) }
        if rmdir(path) != 0 { unlink(path) }
    }
}
