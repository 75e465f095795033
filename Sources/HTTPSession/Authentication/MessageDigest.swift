import Basics
import Digests
import NIOPosix

/// An incremental hash.
struct MessageDigest {
    /// A hash function.
    enum Algorithm: Sendable, Hashable {
        case md5
        case sha256
        case sha512Over256
    }

    private enum State {
        case md5(MD5)
        case sha256(SHA256)
        case sha512Over256(SHA512Over256)
    }

    private var state: State

    init(_ algorithm: Algorithm) {
        switch algorithm {
        case .md5: state = .md5(MD5())
        case .sha256: state = .sha256(SHA256())
        case .sha512Over256: state = .sha512Over256(SHA512Over256())
        }
    }

    /// Adds bytes to the hash.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch state {
        case .md5(var hash):
            hash.update(bytes)
            state = .md5(hash)
        case .sha256(var hash):
            hash.update(bytes)
            state = .sha256(hash)
        case .sha512Over256(var hash):
            hash.update(bytes)
            state = .sha512Over256(hash)
        }
    }

    /// Returns the hash of all bytes so far.
    consuming func finalize() -> [UInt8] {
        switch state {
        case .md5(let hash): hash.finalize()
        case .sha256(let hash): hash.finalize()
        case .sha512Over256(let hash): hash.finalize()
        }
    }

    // MARK: Whole texts and bodies

    /// Returns the hash of bytes in hexadecimal.
    static func hex(_ algorithm: Algorithm, _ bytes: [UInt8]) -> String {
        var digest = MessageDigest(algorithm)
        bytes.withUnsafeBytes { digest.update($0) }
        return Hexadecimal.encode(digest.finalize())
    }

    /// Returns the hash of a string's UTF-8 bytes in hexadecimal.
    static func hex(_ algorithm: Algorithm, _ text: String) -> String { hex(algorithm, Array(text.utf8)) }

    /// Returns the hash of a body in hexadecimal, or nil for a streamed body.
    /// - Throws: ``AuthenticationError/unreadableBody(path:reason:)``.
    static func hex(_ algorithm: Algorithm, body: RequestBody) async throws -> String? {
        switch body {
        case .empty: hex(algorithm, [UInt8]())
        case .bytes(let bytes): hex(algorithm, bytes)
        case .file(let path): try await NIOThreadPool.singleton.runIfActive { try hex(algorithm, file: path) }
        case .stream: nil
        }
    }

    private static func hex(_ algorithm: Algorithm, file path: String) throws(AuthenticationError) -> String {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        do throws(FileFailure) {
            let file = try ReadableFile.open(path)
            var digest = MessageDigest(algorithm)
            var offset = 0
            while true {
                let count = try file.read(into: buffer, at: offset)
                if count == 0 { return Hexadecimal.encode(digest.finalize()) }
                digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
            }
        } catch {
            throw .unreadableBody(path: path, reason: error.message)
        }
    }
}
