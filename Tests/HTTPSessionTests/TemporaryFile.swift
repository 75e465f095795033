import Glibc

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
