#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is written before it has its name; used by one task at a time.
final class PartialFile: Sendable {
    /// The path while it is written.
    let path: String
    private let descriptor: CInt

    private init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    /// Makes a new file that nobody else writes to.
    static func create(_ path: String) throws(FileFailure) -> PartialFile {
        let descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw .last(path) }
        return PartialFile(path: path, descriptor: descriptor)
    }

    /// Opens the file that an earlier transfer has left, or makes it, and keeps others from writing to it.
    static func resume(_ path: String) throws(FileFailure) -> PartialFile {
        // Another download may give the file its name just before it is locked here.
        for _ in 0..<16 {
            let descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard descriptor >= 0 else { throw .last(path) }
            let file = PartialFile(path: path, descriptor: descriptor)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { break }
            if file.hasItsName { return file }
        }
        throw FileFailure(path: path, number: 0, message: "another download to the same path is under way")
    }

    /// Lets others write to the file, now and not when the last who knows it has gone.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    private var hasItsName: Bool {
        var own = stat()
        var named = stat()
        return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
            && own.st_dev == named.st_dev
    }

    /// The length in bytes.
    func length() throws(FileFailure) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last(path) }
        return Int(status.st_size)
    }

    /// Drops what is behind a length.
    func truncate(to length: Int) throws(FileFailure) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .last(path) }
    }

    /// Sets the permissions.
    func setPermissions(_ permissions: UInt16) throws(FileFailure) {
        guard fchmod(descriptor, mode_t(permissions)) == 0 else { throw .last(path) }
    }

    /// Writes bytes at a place.
    func write(_ bytes: [UInt8], at offset: Int) throws(FileFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written,
                    off_t(offset + written))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .last(path)
            }
            guard count > 0 else { throw FileFailure(path: path, number: ENOSPC) }
            written += count
        }
    }
}

/// What must be known of a file that is partly there to go on with it: of what it is, and how the server names its version.
struct PartialFileRecord: Sendable, Hashable {
    /// The URL it comes from.
    var url: String
    /// A strong entity tag, or a date: the value of `If-Range` (RFC 9110 section 13.1.5).
    var validator: String

    private static let title = "HTTPSession partial download 1"

    init(url: String, validator: String) {
        self.url = url
        self.validator = validator
    }

    /// The record of a response; nil if the response has nothing to recognize its version by, or refuses ranges.
    init?(url: String, headers: HTTPHeaders) {
        guard !headers.tokens("Accept-Ranges").contains("none") else { return nil }
        guard let validator = Self.validator(in: headers) else { return nil }
        self.init(url: url, validator: validator)
    }

    /// The strong validator of a response.
    static func validator(in headers: HTTPHeaders) -> String? {
        if let tag = headers["ETag"], isStrong(tag) { return tag }
        // RFC 9110 section 8.8.2.2: a date is strong if the response is at least a second younger.
        guard let modified = headers["Last-Modified"], let date = headers["Date"],
            let modifiedAt = CookieDate.parse(modified), let sentAt = CookieDate.parse(date), sentAt > modifiedAt
        else { return nil }
        return modified
    }

    /// Whether an entity tag is a strong one; servers that leave out its quotation marks compare it as it is.
    private static func isStrong(_ tag: String) -> Bool {
        if tag.utf8.count >= 2, tag.utf8.first == UInt8(ascii: "\""), tag.utf8.last == UInt8(ascii: "\"") {
            return true
        }
        return !tag.isEmpty && !tag.hasPrefix("W/")
            && tag.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\"") }
    }

    /// Reads a record from a file's contents; nil for anything else.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == Self.title, lines[3].isEmpty, !lines[2].isEmpty else { return nil }
        self.init(url: String(lines[1]), validator: String(lines[2]))
    }

    /// The contents of the record's file.
    var bytes: [UInt8] { Array((Self.title + "\n" + url + "\n" + validator + "\n").utf8) }
}
