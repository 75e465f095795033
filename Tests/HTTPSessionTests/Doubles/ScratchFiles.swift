import Glibc
import Testing

/// A file in the temporary folder that goes with this object.
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

/// An empty folder that goes, with all in it, when this object goes.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/http-session-folder-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    /// The path of a file in the folder.
    func file(_ name: String) -> String { path + "/" + name }

    /// The names of what is in the folder, sorted.
    var names: [String] { Self.names(path) }

    /// The bytes of a file; nil if there is none.
    func contents(_ name: String) -> [UInt8]? {
        let descriptor = open(file(name), O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
        return all
    }

    /// Makes a file.
    func make(_ name: String, _ bytes: [UInt8]) {
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        defer { close(descriptor) }
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    /// The permissions of a file.
    func permissions(_ name: String) -> UInt32 {
        var status = stat()
        stat(file(name), &status)
        return status.st_mode & 0o777
    }

    private static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
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
