import Basics
import Synchronization

/// The compression of request bodies (RFC 9110, section 8.4).
enum RequestCompression {
    /// Returns the request with its body compressed, and `Content-Encoding` set unless the caller has set it.
    ///
    /// A file or a stream is compressed while it is sent. Its length is unknown, so it is sent with chunked transfer
    /// coding.
    static func applied(to request: Request) throws(SessionError) -> Request {
        guard let coding = request.compression else { return request }
        var request = request
        request.compression = nil
        switch request.body {
        case .empty: return request
        case .bytes(let bytes):
            do throws(ContentCodingError) {
                request.body = .bytes(try coding.encode(bytes))
            } catch {
                throw SessionError(.request, .unreadableBody, error.sentence, request: request)
            }
        case .file(let path):
            request.body = .stream(source(coding, isReplayable: true) { try await reader(ofFile: path) })
        case .stream(let source):
            request.body = .stream(self.source(coding, isReplayable: source.isReplayable, source.open))
        }
        if !request.headers.contains("Content-Encoding") {
            request.headers.append(name: "Content-Encoding", value: coding.rawValue)
        }
        // A length that the caller set is that of the uncompressed body.
        if !request.allowMalformed { request.headers.remove("Content-Length") }
        return request
    }

    private static func reader(ofFile path: String) async throws -> BodySource.Reader {
        let file = try await FilePieces.open(path)
        return { try await file.next() }
    }

    private static func source(
        _ coding: ContentCoding, isReplayable: Bool, _ open: @escaping @Sendable () async throws -> BodySource.Reader
    ) -> BodySource {
        BodySource(isReplayable: isReplayable) {
            let pass = EncodingPass(try await open(), try ContentEncoder(coding))
            return { try await pass.next() }
        }
    }
}

/// A single pass over a body that is compressed while it is read.
private final class EncodingPass: Sendable {
    private struct State {
        var encoder: ContentEncoder
        var isOver = false
    }

    private let read: BodySource.Reader
    private let state: Mutex<State>

    init(_ read: @escaping BodySource.Reader, _ encoder: sending ContentEncoder) {
        self.read = read
        state = Mutex(State(encoder: encoder))
    }

    /// Returns the next compressed piece, or nil at the end.
    func next() async throws -> [UInt8]? {
        while !state.withLock({ $0.isOver }) {
            let piece = try await read()
            let encoded = try state.withLock { state in
                if let piece { return try state.encoder.encode(piece) }
                state.isOver = true
                return try state.encoder.finish()
            }
            if !encoded.isEmpty { return encoded }
        }
        return nil
    }
}

/// An incremental encoder that compresses a body with a content coding.
public final class ContentEncoder {
    /// The default compression level, zlib's usual trade-off between time and size.
    public static let defaultLevel = 6

    /// The coding that the encoder applies.
    public let coding: ContentCoding

    private let stream: DeflateStream
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)

    /// Creates an encoder.
    /// - Parameters:
    ///   - coding: The coding to apply.
    ///   - level: The compression level from 0 (stored without compression) to 9 (smallest); other values are clamped.
    /// - Throws: ``ContentCodingError`` if there is not enough memory, or if the coding is not
    ///   ``ContentCoding/encodable``.
    public init(_ coding: ContentCoding, level: Int = ContentEncoder.defaultLevel) throws(ContentCodingError) {
        self.coding = coding
        stream = try DeflateStream(coding, level: level)
    }

    deinit { room.deallocate() }

    /// Encodes the next piece of a body.
    /// - Parameters:
    ///   - piece: The next bytes, of any length.
    ///   - flush: Whether a receiver must be able to decode all bytes so far. This reduces the compression.
    /// - Returns: The bytes that are ready to be sent, which are often empty without `flush`.
    /// - Throws: ``ContentCodingError`` if the body is already finished.
    public func encode(_ piece: [UInt8], flush: Bool = false) throws(ContentCodingError) -> [UInt8] {
        try run(piece, flush ? .sync : .none)
    }

    /// Finishes the body.
    /// - Returns: The rest of the encoded body.
    /// - Throws: ``ContentCodingError`` if the body is already finished.
    public func finish() throws(ContentCodingError) -> [UInt8] {
        try run([], .finish)
    }

    private var isFinished = false

    private func run(_ piece: [UInt8], _ flush: DeflateStream.Flush) throws(ContentCodingError) -> [UInt8] {
        guard !isFinished else { throw ContentCodingError(coding: coding, message: "is already finished") }
        if case .finish = flush { isFinished = true }
        var output: [UInt8] = []
        var caught: ContentCodingError?
        piece.withUnsafeBytes { piece in
            do throws(ContentCodingError) {
                try stream.encode(piece, flush, room: room) { output.append(contentsOf: $0) }
            } catch {
                caught = error
            }
        }
        if let caught { throw caught }
        return output
    }
}

extension ContentCoding {
    /// Compresses a whole body.
    /// - Parameters:
    ///   - bytes: The body.
    ///   - level: The compression level from 0 (stored without compression) to 9 (smallest); other values are clamped.
    /// - Returns: The encoded body. The result is the same for the same bytes and level.
    /// - Throws: ``ContentCodingError`` if there is not enough memory, or if the coding is not ``encodable``.
    public func encode(
        _ bytes: [UInt8], level: Int = ContentEncoder.defaultLevel
    ) throws(ContentCodingError) -> [UInt8] {
        let stream = try DeflateStream(self, level: level)
        return try stream.encodeWhole(bytes)
    }
}
