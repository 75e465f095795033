import FileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension CookieJar {
    /// The largest file that is read, in bytes.
    public static let largestFile = 16 << 20

    /// The cookies that have not expired as a text.
    /// - Parameters:
    ///   - format: The form.
    ///   - includesSessionCookies: Whether those without an end are in it.
    public func text(_ format: CookieFileFormat = .json, includingSessionCookies includesSessionCookies: Bool = true)
        -> String
    {
        CookieText.write(cookies.filter { includesSessionCookies || $0.expires != nil }, format)
    }

    /// Adds the cookies of a text that ``text(_:includingSessionCookies:)`` or curl has made; its form is recognized.
    ///
    /// A cookie takes the place of one with the same name, domain and path; what has expired is left out.
    /// - Returns: How many cookies the text has.
    /// - Throws: ``CookieFileError``; nothing is added then.
    @discardableResult
    public func add(_ text: String) throws(CookieFileError) -> Int {
        let new = try CookieText.read(text)
        for cookie in new { set(cookie) }
        return new.count
    }

    /// Writes the cookies that have not expired to a file, which only its owner can read.
    ///
    /// The file appears whole, in place of one that was there.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - format: The form.
    ///   - includesSessionCookies: Whether cookies without an end are in it.
    /// - Throws: ``CookieFileError``.
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
            throw CookieFileError(message: "the cookies cannot be written to \(path): \(error.message)")
        }
    }

    /// Adds the cookies of a file that ``save(to:format:includingSessionCookies:)`` or curl has written.
    ///
    /// A cookie takes the place of one with the same name, domain and path; what has expired is left out.
    /// - Returns: How many cookies the file has.
    /// - Throws: ``CookieFileError`` for a file that cannot be read, or that has something else; nothing is added then.
    @discardableResult
    public func load(from path: String) async throws(CookieFileError) -> Int {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try await BlockingWork.run { () throws(FileFailure) in try Self.contents(path) }
        } catch {
            throw CookieFileError(message: "the cookies of \(path) cannot be read: \(error.message)")
        }
        do throws(CookieFileError) {
            return try add(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CookieFileError(message: "the cookies of \(path) cannot be read: \(error.message)")
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
            guard all.count <= largestFile else {
                throw FileFailure(path: path, number: EFBIG, message: "it is larger than \(largestFile) bytes")
            }
        }
    }
}

/// The form of a file with cookies.
public enum CookieFileFormat: Sendable, Hashable {
    /// JSON with all that a jar knows of each cookie.
    case json
    /// The `cookies.txt` of Netscape, which curl and wget read and write; it has no SameSite attribute.
    case netscape
}

/// Why a file with cookies cannot be read or written.
public struct CookieFileError: Error, Sendable, Hashable {
    /// The reason in plain words, one line, with the path.
    public let message: String

    /// Creates an error.
    public init(message: String) {
        self.message = message
    }
}

extension CookieFileError: CustomStringConvertible {
    /// The reason.
    public var description: String { message }
}
