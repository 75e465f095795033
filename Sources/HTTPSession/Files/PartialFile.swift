#if canImport(Glibc)
import Basics
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is written under a temporary name, used by one task at a time.
final class PartialFile: Sendable {
    /// The temporary path.
    let path: String
    private let descriptor: CInt

    private init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        _ = close(descriptor)
    }

    /// Creates a new file that no other process writes to.
    static func create(_ path: String) throws(FileFailure) -> PartialFile {
        let descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw .last(path) }
        return PartialFile(path: path, descriptor: descriptor)
    }

    /// Opens or creates the file of an interrupted transfer, and locks it against other writers.
    static func resume(_ path: String) throws(FileFailure) -> PartialFile {
        // Another download may rename the file just before it is locked here.
        for _ in 0..<16 {
            let descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard descriptor >= 0 else { throw .last(path) }
            let file = PartialFile(path: path, descriptor: descriptor)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { break }
            if file.hasItsName { return file }
        }
        throw FileFailure(path: path, number: 0, message: "another download to the same path is in progress")
    }

    /// Unlocks the file immediately, instead of when its last reference is released.
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

    /// Removes the bytes after the given length.
    func truncate(to length: Int) throws(FileFailure) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .last(path) }
    }

    /// Sets the permissions.
    func setPermissions(_ permissions: UInt16) throws(FileFailure) {
        guard fchmod(descriptor, mode_t(permissions)) == 0 else { throw .last(path) }
    }

    /// Writes bytes at an offset.
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

/// The origin and version of a partially downloaded file, needed to resume the download.
struct PartialFileRecord: Sendable, Hashable {
    /// The URL of the file.
    var url: String
    /// A strong entity tag or a date, as the value of `If-Range` (RFC 9110, section 13.1.5).
    var validator: String

    private static let title = "HTTPSession partial download 1"

    init(url: String, validator: String) {
        self.url = url
        self.validator = validator
    }

    /// Creates a record from a response, or returns nil if it has no strong validator or refuses ranges.
    init?(url: String, headers: HTTPHeaders) {
        guard !headers.tokens("Accept-Ranges").contains("none") else { return nil }
        guard let validator = Self.validator(in: headers) else { return nil }
        self.init(url: url, validator: validator)
    }

    /// Returns the strong validator of a response.
    static func validator(in headers: HTTPHeaders) -> String? {
        if let tag = headers["ETag"], isStrong(tag) { return tag }
        // RFC 9110, section 8.8.2.2: a date is strong if it is at least one second older than the response.
        guard let modified = headers["Last-Modified"], let date = headers["Date"],
            let modifiedAt = CookieDate.parse(modified), let sentAt = CookieDate.parse(date), sentAt > modifiedAt
        else { return nil }
        return modified
    }

    /// Returns whether an entity tag is strong. Servers that omit its quotation marks compare it verbatim.
    private static func isStrong(_ tag: String) -> Bool {
        if tag.utf8.count >= 2, tag.utf8.first == UInt8(ascii: "\""), tag.utf8.last == UInt8(ascii: "\"") {
            return true
        }
        return !tag.isEmpty && !tag.hasPrefix("W/")
            && tag.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\"") }
    }

    /// Parses the contents of a record file; returns nil for anything else.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == Self.title, lines[3].isEmpty, !lines[2].isEmpty else { return nil }
        self.init(url: String(lines[1]), validator: String(lines[2]))
    }

    /// The contents of the record file.
    var bytes: [UInt8] { Array((Self.title + "\n" + url + "\n" + validator + "\n").utf8) }
}
