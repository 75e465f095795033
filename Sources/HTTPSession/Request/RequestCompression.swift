import Synchronization

/// Compresses the bodies of requests (RFC 9110 section 8.4).
enum RequestCompression {
    /// The request with its body compressed as it asks, and `Content-Encoding` set unless the caller has set it.
    ///
    /// A file or a stream is compressed while it is sent, so its length is not known and it is sent with chunked framing.
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
                throw SessionError(.request, .unreadableBody, error.description, request: request)
            }
        case .file(let path):
            request.body = .stream(source(coding, isReplayable: true) { try await reader(ofFile: path) })
        case .stream(let source):
            request.body = .stream(self.source(coding, isReplayable: source.isReplayable, source.open))
        }
        if !request.headers.contains("Content-Encoding") {
            request.headers.append(name: "Content-Encoding", value: coding.rawValue)
        }
        // The length that a caller has given is that of the body before.
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

/// One pass over a body that is compressed while it is read.
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

    /// The next piece that is ready to be sent, or nil at the end.
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

/// Applies a content coding to a body as its pieces come.
public final class ContentEncoder {
    /// zlib's usual balance of time and length.
    public static let defaultLevel = 6

    /// The coding that is applied.
    public let coding: ContentCoding

    private let stream: DeflateStream
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)

    /// Creates an encoder.
    /// - Parameters:
    ///   - coding: The coding to apply.
    ///   - level: From 0, stored without compression, to 9, smallest; a number beyond is taken as the nearest.
    /// - Throws: ``ContentCodingError`` if there is not enough memory.
    public init(_ coding: ContentCoding, level: Int = ContentEncoder.defaultLevel) throws(ContentCodingError) {
        self.coding = coding
        stream = try DeflateStream(coding, level: level)
    }

    deinit { room.deallocate() }

    /// Encodes the next piece of a body.
    /// - Parameters:
    ///   - piece: The next bytes, any number.
    ///   - flush: Whether a receiver must be able to decode all bytes so far; costs some compression.
    /// - Returns: What is ready to be sent, which is often empty without `flush`.
    /// - Throws: ``ContentCodingError`` if the body has been finished.
    public func encode(_ piece: [UInt8], flush: Bool = false) throws(ContentCodingError) -> [UInt8] {
        try run(piece, flush ? .sync : .none)
    }

    /// Ends the body.
    /// - Returns: The rest of the encoded body.
    /// - Throws: ``ContentCodingError`` if the body has been finished.
    public func finish() throws(ContentCodingError) -> [UInt8] {
        try run([], .finish)
    }

    private var isFinished = false

    private func run(_ piece: [UInt8], _ flush: DeflateStream.Flush) throws(ContentCodingError) -> [UInt8] {
        guard !isFinished else { throw ContentCodingError(coding: coding, message: "has been finished already") }
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
    ///   - level: From 0, stored without compression, to 9, smallest; a number beyond is taken as the nearest.
    /// - Returns: The encoded body; the same for the same bytes and level.
    /// - Throws: ``ContentCodingError`` if there is not enough memory.
    public func encode(
        _ bytes: [UInt8], level: Int = ContentEncoder.defaultLevel
    ) throws(ContentCodingError) -> [UInt8] {
        let stream = try DeflateStream(self, level: level)
        return try stream.encodeWhole(bytes)
    }
}
