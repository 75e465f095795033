import Basics
import Digests
import NIOPosix

/// A hash of bytes that come piece by piece.
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

    /// Takes more bytes.
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

    /// The hash of all bytes so far.
    consuming func finalize() -> [UInt8] {
        switch state {
        case .md5(let hash): hash.finalize()
        case .sha256(let hash): hash.finalize()
        case .sha512Over256(let hash): hash.finalize()
        }
    }

    // MARK: Whole texts and bodies

    /// The hash of bytes in hexadecimal.
    static func hex(_ algorithm: Algorithm, _ bytes: [UInt8]) -> String {
        var digest = MessageDigest(algorithm)
        bytes.withUnsafeBytes { digest.update($0) }
        return Hexadecimal.encode(digest.finalize())
    }

    /// The hash of a text's UTF-8 bytes in hexadecimal.
    static func hex(_ algorithm: Algorithm, _ text: String) -> String { hex(algorithm, Array(text.utf8)) }

    /// The hash of a body in hexadecimal; nil for one that is made while it is sent.
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
