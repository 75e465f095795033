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
                throw SessionError(
                    phase: .request, reason: .unreadableBody, message: error.description, method: request.method,
                    url: request.url)
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
