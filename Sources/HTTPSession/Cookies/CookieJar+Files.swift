public import Basics
import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension CookieJar {
    /// The maximum size in bytes of a file that can be loaded.
    public static let maximumFileSize = 16 << 20

    /// Returns the unexpired cookies as text.
    /// - Parameters:
    ///   - format: The format of the text.
    ///   - includesSessionCookies: Whether the text includes session cookies.
    public func text(_ format: CookieFileFormat = .json, includingSessionCookies includesSessionCookies: Bool = true)
        -> String
    {
        CookieText.write(cookies.filter { includesSessionCookies || $0.expires != nil }, format)
    }

    /// Adds the cookies of a text written by ``text(_:includingSessionCookies:)`` or curl, in either format.
    ///
    /// A cookie replaces an existing one with the same name, domain and path. Expired cookies are not added.
    /// - Parameter text: The cookies in JSON or in Netscape's format.
    /// - Returns: The number of cookies in the text.
    /// - Throws: ``CookieFileError`` if the text is invalid. No cookie is added then.
    @discardableResult
    public func add(_ text: String) throws(CookieFileError) -> Int {
        let new = try CookieText.read(text)
        for cookie in new { set(cookie) }
        return new.count
    }

    /// Writes the unexpired cookies to a file that only its owner can read.
    ///
    /// The file is written atomically and replaces an existing one.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - format: The format of the file.
    ///   - includesSessionCookies: Whether the file includes session cookies.
    /// - Throws: ``CookieFileError`` if the file cannot be written.
    public func save(
        to path: String, format: CookieFileFormat = .json,
        includingSessionCookies includesSessionCookies: Bool = true
    ) async throws(CookieFileError) {
        let bytes = Array(text(format, includingSessionCookies: includesSessionCookies).utf8)
        let mark = String(SessionRandom.system.next(), radix: 16)
        let temporary = Path.absolute(".\(Path.lastComponent(of: path)).\(mark).partial", in: Path.parent(of: path))
        do throws(FileFailure) {
            try await BlockingWork.run { () throws(FileFailure) in
                let file = try PartialFile.create(temporary)
                do throws(FileFailure) {
                    try file.setPermissions(0o600)
                    try file.write(bytes, at: 0)
                    try FileSystemCalls.rename(temporary, to: path)
                } catch {
                    FileSystemCalls.remove(temporary)
                    throw error
                }
            }
        } catch {
            throw CookieFileError(message: "the cookie file \"\(path)\" cannot be written: \(error.message)")
        }
    }

    /// Adds the cookies of a file written by ``save(to:format:includingSessionCookies:)`` or curl.
    ///
    /// A cookie replaces an existing one with the same name, domain and path. Expired cookies are not added.
    /// - Parameter path: The path of the file.
    /// - Returns: The number of cookies in the file.
    /// - Throws: ``CookieFileError`` if the file cannot be read or is invalid. No cookie is added then.
    @discardableResult
    public func load(from path: String) async throws(CookieFileError) -> Int {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try await BlockingWork.run { () throws(FileFailure) in try Self.contents(path) }
        } catch {
            throw CookieFileError(message: "the cookie file \"\(path)\" cannot be read: \(error.message)")
        }
        do throws(CookieFileError) {
            return try add(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CookieFileError(message: "the cookie file \"\(path)\" cannot be read: \(error.wording)")
        }
    }

    private static func contents(_ path: String) throws(FileFailure) -> [UInt8] {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .last(path) }
        defer { _ = close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .last(path)
            }
            guard count > 0 else { return all }
            all += buffer[..<count]
            guard all.count <= maximumFileSize else {
                throw FileFailure(path: path, number: EFBIG, message: "it is larger than \(maximumFileSize) bytes")
            }
        }
    }
}

/// The format of a cookie file.
public enum CookieFileFormat: Sendable, Hashable {
    /// JSON with all attributes of each cookie.
    case json
    /// Netscape's `cookies.txt`, which curl and wget read and write; it has no SameSite attribute.
    case netscape
}

/// An error that occurs when cookies are read or written.
public struct CookieFileError: Error, Sendable, Hashable {
    /// A description of the error in one line, with the path if a file is involved.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText

    /// Creates an error.
    public init(message: MessageText) {
        wording = message
    }
}

extension CookieFileError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
