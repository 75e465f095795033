import Glibc
import Testing

/// A file in the temporary directory that is removed on deinitialization.
final class TemporaryFile: Sendable {
    let path: String

    struct NotWritable: Error {}

    init(_ bytes: [UInt8]) throws {
        var template = Array("/tmp/http-session-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw NotWritable() }
        defer { close(descriptor) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw NotWritable() }
    }

    deinit {
        unlink(path)
    }
}

/// An empty directory that is removed with its contents on deinitialization.
final class ScratchDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/http-session-directory-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    /// Returns the path of a file in the directory.
    func file(_ name: String) -> String { path + "/" + name }

    /// The sorted names of the directory's contents.
    var names: [String] { Self.names(path) }

    /// Returns the bytes of a file, or nil if it does not exist.
    func contents(_ name: String) -> [UInt8]? {
        let descriptor = open(file(name), O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
        return all
    }

    /// Creates a file.
    func make(_ name: String, _ bytes: [UInt8]) {
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        defer { close(descriptor) }
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    /// Returns the permissions of a file.
    func permissions(_ name: String) -> UInt32 {
        var status = stat()
        stat(file(name), &status)
        return status.st_mode & 0o777
    }

    private static func names(_ path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in names(path) where unlink(path + "/" + name) != 0 { remove(path + "/" + name) }
        rmdir(path)
    }
}
